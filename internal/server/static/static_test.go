package static

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

func TestStatic(t *testing.T) {
	page := fstest.MapFS{
		"index.html":                    {Data: []byte("<!doctype html>plain")},
		"index.html.br":                 {Data: []byte("html in br")},
		"index.html.gz":                 {Data: []byte("html in gz")},
		"main-AB2CD3EF.js":              {Data: []byte("js")},
		"main-AB2CD3EF.js.br":           {Data: []byte("js in br")},
		"session-0123456789abcdef.wasm": {Data: []byte("wasm")},
		"left-AAAAAAAA.js.br":           {Data: []byte("left over")},
		".stamp":                        {Data: []byte("secret")},
		"about.txt":                     {Data: []byte("about")},
		"sub/x.css":                     {Data: []byte("css")},
	}
	h := New(page)
	for _, c := range []struct {
		path, accept string
		status       int
		body         string
		encoding     string
		kind, cache  string
	}{
		{"/", "", 200, "<!doctype html>plain", "", "text/html; charset=utf-8", "no-cache"},
		{"/", "gzip, deflate, br", 200, "html in br", "br", "text/html; charset=utf-8", "no-cache"},
		{"/", "gzip", 200, "html in gz", "gzip", "text/html; charset=utf-8", "no-cache"},
		{"/", "br;q=0, gzip;q=0.5", 200, "html in gz", "gzip", "text/html; charset=utf-8", "no-cache"},
		{"/", "*", 200, "<!doctype html>plain", "", "text/html; charset=utf-8", "no-cache"},
		{"/index.html", "", 200, "<!doctype html>plain", "", "text/html; charset=utf-8", "no-cache"},
		{"/main-AB2CD3EF.js", "br", 200, "js in br", "br", "text/javascript; charset=utf-8", Immutable},
		{"/main-AB2CD3EF.js", "gzip", 200, "js", "", "text/javascript; charset=utf-8", Immutable},
		{"/session-0123456789abcdef.wasm", "br", 200, "wasm", "", "application/wasm", Immutable},
		{"/about.txt", "", 200, "about", "", "text/plain; charset=utf-8", "no-cache"},
		{"/sub/x.css", "", 200, "css", "", "text/css; charset=utf-8", "no-cache"},
		{"/left-AAAAAAAA.js", "br", 404, "", "", "", ""},
		{"/.stamp", "", 404, "", "", "", ""},
		{"/index.html.br", "", 404, "", "", "", ""},
		{"/sub", "", 404, "", "", "", ""},
		{"/sub/../index.html", "", 404, "", "", "", ""},
		{"//index.html", "", 404, "", "", "", ""},
		{"/nothing.js", "", 404, "", "", "", ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = c.path
		if c.accept != "" {
			r.Header.Set("Accept-Encoding", c.accept)
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		got := rec.Header()
		if rec.Code != c.status {
			t.Errorf("%s (%s): %d, want %d", c.path, c.accept, rec.Code, c.status)
			continue
		}
		if c.status == 200 && (rec.Body.String() != c.body || got.Get("Content-Encoding") != c.encoding || got.Get("Content-Type") != c.kind ||
			got.Get("Cache-Control") != c.cache || got.Get("Vary") != "Accept-Encoding" || got.Get("Content-Length") != fmt.Sprint(len(c.body))) {
			t.Errorf("%s (%s): %q %v", c.path, c.accept, rec.Body, got)
		}
	}
	// A page that is known is not sent again.
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/", nil))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("If-None-Match", rec.Header().Get("ETag"))
	rec = httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	if rec.Code != http.StatusNotModified {
		t.Errorf("If-None-Match: %d", rec.Code)
	}
	r = httptest.NewRequest(http.MethodHead, "/", nil)
	rec = httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	if rec.Code != 200 || rec.Body.Len() != 0 || rec.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: %d, %d bytes", rec.Code, rec.Body.Len())
	}
}
