package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/server/static"
)

func TestContent(t *testing.T) {
	store := newStore(t)
	w := serve(t, store, nil)
	document := store.Meta().Document
	name := hex.EncodeToString(document[:])
	status, body := w.get("/v1/content/" + name)
	if status != http.StatusOK || sha256.Sum256(body) != document {
		t.Errorf("document: %d, %d bytes", status, len(body))
	}
	stored, err := store.PutContent(t.Context(), bytes.Repeat([]byte("terrane "), 1000))
	must(t, err)
	r, err := http.NewRequest(http.MethodGet, w.http.URL+"/v1/content/"+hex.EncodeToString(stored[:]), nil)
	must(t, err)
	r.Header.Set("Accept-Encoding", "gzip")
	resp, err := w.http.Client().Do(r)
	must(t, err)
	defer resp.Body.Close()
	for key, want := range map[string]string{
		"Cache-Control": static.Immutable, "Content-Encoding": "gzip", "Content-Type": "application/octet-stream",
		"X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding",
	} {
		if got := resp.Header.Get(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	for path, want := range map[string]int{
		"":                                    http.StatusNotFound, // no such route
		name[:63]:                             http.StatusBadRequest,
		name + "0":                            http.StatusBadRequest,
		strings.Repeat("zz", 32):              http.StatusBadRequest,
		strings.Repeat("00", 32):              http.StatusNotFound,
		"../../etc/passwd":                    http.StatusNotFound,
		strings.Repeat("%2e%2e%2f", 12):       http.StatusBadRequest,
		strings.ToUpper(name):                 http.StatusOK,
		strings.Repeat("00", 32) + "/" + name: http.StatusNotFound,
	} {
		if got, _ := w.get("/v1/content/" + path); got != want {
			t.Errorf("%q: %d, want %d", path, got, want)
		}
	}
	if resp, err := w.http.Client().Post(w.http.URL+"/v1/content/"+name, "text/plain", strings.NewReader("x")); err != nil || resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %v, %v", resp, err)
	} else {
		_ = resp.Body.Close()
	}
}

func TestWorld(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Version = "v1.2.3" })
	c := w.joinAt(home)
	c.settled(c.edit(ball(edit.Dig, 3, 10, 0, 10)))
	got := w.world()
	hash, _ := w.hash(home)
	if got.Name != "test" || got.Head != 1 || got.Entries != 1 || got.Hash != fmt.Sprintf("%016x", hash) || got.People != 1 ||
		got.Version != "v1.2.3" || got.Bricks == 0 {
		t.Errorf("world %+v", got)
	}
	if status, body := w.get("/healthz"); status != http.StatusOK || string(body) != "ok\n" {
		t.Errorf("healthz: %d %q", status, body)
	}
}

func TestOrigin(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Origins = []string{"friend.example"} })
	dial := func(origin string) int {
		ws, resp, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(w.http.URL, "http")+"/v1/ws",
			&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil {
			_ = ws.CloseNow()
		}
		return resp.StatusCode
	}
	for origin, want := range map[string]int{
		w.http.URL:                http.StatusSwitchingProtocols,
		"https://friend.example":  http.StatusSwitchingProtocols,
		"https://foe.example":     http.StatusForbidden,
		"https://friend.foe.test": http.StatusForbidden,
	} {
		if got := dial(origin); got != want {
			t.Errorf("from %s: %d, want %d", origin, got, want)
		}
	}
	if status, _ := w.get("/v1/ws"); status != http.StatusUpgradeRequired {
		t.Errorf("without an upgrade: %d", status)
	}
}

func TestConnectionLimit(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Limits.Connections = 2 })
	a, _ := w.join(), w.join()
	if status, body := w.get("/v1/ws"); status != http.StatusServiceUnavailable || !strings.Contains(string(body), "all 2 connections") {
		t.Errorf("%d %q", status, body)
	}
	_ = a.ws.CloseNow()
	w.until("the place is free", func(o *owner) bool { return len(o.sessions) == 1 })
	w.until("the next one fits", func(*owner) bool {
		w.server.mu.Lock()
		defer w.server.mu.Unlock()
		return len(w.server.conns) == 1
	})
	w.join()
}

func TestUnbuilt(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Client = fstest.MapFS{".keep": {}} })
	status, body := w.get("/")
	if status != http.StatusServiceUnavailable || !strings.Contains(string(body), "make build") {
		t.Errorf("%d %q", status, body)
	}
	if status, _ := w.get("/main.js"); status != http.StatusNotFound {
		t.Errorf("main.js: %d", status)
	}
	r, err := w.http.Client().Get(w.http.URL)
	must(t, err)
	defer r.Body.Close()
	if got := r.Header.Get("Content-Security-Policy"); got != policy {
		t.Errorf("policy %q", got)
	}
}

// TestServe runs the whole life of a listener.
func TestServe(t *testing.T) {
	s, err := New(t.Context(), Config{Store: newStore(t)})
	must(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, ln) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + ln.Addr().String() + "/healthz")
	must(t, err)
	_ = r.Body.Close()
	cancel()
	must(t, <-done)
	if _, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		t.Error("the port is still open")
	}
}

func TestSmallThings(t *testing.T) {
	for in, want := range map[string]string{"ann": "ann", " \tzo\u200bë\n\x00 ": "zoë", "\u202eevil": "evil", "": ""} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aë", 2, "a"}, {"ë", 1, ""}} {
		if got := clip(c.in, c.n); got != c.want {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}
