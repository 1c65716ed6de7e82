// Package static serves the built page over HTTP: compressed as the browser takes it, kept by the browser for as long as
// its name vouches for its content.
package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Immutable is the Cache-Control of what has the hash of its content in its name.
const Immutable = "public, max-age=31536000, immutable"

// New returns the handler of the built page: index.html under /, every other file under its name. Where NAME.br or
// NAME.gz lies beside NAME and the browser takes it, that is sent. Without an index.html it tells how to build the page.
func New(files fs.FS) http.Handler {
	if files != nil {
		if _, err := fs.Stat(files, "index.html"); err == nil {
			return handler{files}
		}
	}
	return http.HandlerFunc(serveUnbuilt)
}

type handler struct{ files fs.FS }

// serveUnbuilt stands in for a page that has not been built.
func serveUnbuilt(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>Terrane</title>"+
		"<p>The page has not been built. Stop the server, run <code>make build</code> and start <code>bin/terrane</code>.\n")
}

// contentTypes are set here, not looked up: the tables of operating systems differ.
var contentTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".wasm":  "application/wasm",
	".json":  "application/json",
	".map":   "application/json",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// hashedName matches names that contain a hash of the content: eight letters and digits as esbuild writes
// them, or at least eight hexadecimal digits.
var hashedName = regexp.MustCompile(`[-.]([0-9A-Z]{8}|[0-9a-f]{8,64})\.[a-z0-9.]+$`)

// ServeHTTP implements http.Handler.
func (s handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	kind, known := contentTypes[path.Ext(name)]
	if !known || !fs.ValidPath(name) || strings.HasPrefix(path.Base(name), ".") {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	for _, e := range []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if e.encoding != "" && !accepts(r, e.encoding) {
			continue
		}
		data, err := fs.ReadFile(s.files, name+e.suffix)
		if err != nil {
			continue
		}
		if _, err := fs.Stat(s.files, name); err != nil {
			break // a compressed form without its file is left over from an earlier build
		}
		if e.encoding != "" {
			h.Set("Content-Encoding", e.encoding)
		}
		h.Set("Content-Type", kind)
		if hashedName.MatchString(name) {
			h.Set("Cache-Control", Immutable)
		} else {
			h.Set("Cache-Control", "no-cache") // asked for each time, sent when it has changed
			sum := sha256.Sum256(data)
			h.Set("ETag", fmt.Sprintf("%q", hex.EncodeToString(sum[:16])))
		}
		h.Set("Content-Length", strconv.Itoa(len(data)))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		return
	}
	http.NotFound(w, r)
}

// accepts reports whether the browser takes an encoding. A wildcard is not enough: nobody sends it and means
// brotli.
func accepts(r *http.Request, encoding string) bool {
	for field := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, params, _ := strings.Cut(field, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		key, value, _ := strings.Cut(strings.ReplaceAll(params, " ", ""), "=")
		if !strings.EqualFold(key, "q") {
			return true
		}
		q, err := strconv.ParseFloat(value, 64)
		return err == nil && q > 0
	}
	return false
}
