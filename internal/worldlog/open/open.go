// Package open is the door to worlds: it opens, makes and repairs the store that a name stands for, so that nothing else
// knows which stores there are. A name is the path of a file, or a URL whose scheme says which store it is:
//
//	world.terrane            a file, one SQLite database a world
//	sqlite:world.terrane     the same, said aloud
//
// A new kind of store is a scheme here, and the suite in worldlogtest.
package open

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite"
)

// A DamageError says what is damaged of a world that does not open; Repair may help.
type DamageError = sqlite.DamageError

// Repaired says what Repair kept and what was lost.
type Repaired = sqlite.Repaired

// World opens the world that is named. If readOnly is set nothing of it is changed, and what writes returns
// worldlog.ErrReadOnly. Its errors are those of worldlog's, fs.ErrNotExist and *DamageError, wrapped with the name.
func World(name string, readOnly bool) (worldlog.Store, error) {
	path, err := file(name)
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(path, sqlite.Options{ReadOnly: readOnly})
	if err != nil {
		return nil, err // not a nil *sqlite.Store, which would be no nil Store
	}
	return s, nil
}

// Create makes a world where none is yet and opens it. The contents must hold the meta's document and assets.
func Create(name string, m worldlog.Meta, contents ...[]byte) (worldlog.Store, error) {
	path, err := file(name)
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Create(path, m, contents...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Repair sets a damaged world aside and puts in its place what can be read of it.
func Repair(name string) (Repaired, error) {
	path, err := file(name)
	if err != nil {
		return Repaired{}, err
	}
	return sqlite.Repair(path)
}

// Exists reports whether there is something under the name, a world or not.
func Exists(name string) (bool, error) {
	path, err := file(name)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// file returns the path of the file that a name stands for.
func file(name string) (string, error) {
	if path, ok := strings.CutPrefix(name, "sqlite:"); ok {
		return path, nil
	}
	if scheme, _, ok := strings.Cut(name, "://"); ok && scheme != "" && !strings.ContainsAny(scheme, "/.") {
		return "", fmt.Errorf("%w: %s: there are no worlds of the kind %s; name a file, like world.terrane or sqlite:world.terrane", worldlog.ErrInvalid, name, scheme)
	}
	return name, nil
}
