package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestSlowClients checks that clients which send or take bytes too slowly are dropped, with the
// times of newServer made shorter.
func TestSlowClients(t *testing.T) {
	big := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		chunk := make([]byte, 1<<20)
		for range 64 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	const short = 100 * time.Millisecond
	for _, c := range []struct {
		name, send string
		read       bool // the client takes what comes
	}{
		{"half a header", "GET / HTTP/1.1\r\nHost: a\r\n", true},
		{"half a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n", true},
		{"an idle connection", "", true},
		{"an answer not taken", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := newServer(big)
			for _, d := range []*time.Duration{&srv.ReadHeaderTimeout, &srv.ReadTimeout, &srv.WriteTimeout, &srv.IdleTimeout} {
				if *d <= 0 || *d > 5*time.Minute {
					t.Fatalf("a limit of newServer is %v", *d)
				}
				*d = short
			}
			closed := make(chan struct{}, 1)
			srv.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateClosed {
					closed <- struct{}{}
				}
			}
			l := listen(t)
			go srv.Serve(l)
			defer srv.Close()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			io.WriteString(conn, c.send)
			if c.read {
				go io.Copy(io.Discard, conn)
			}
			select {
			case <-closed:
			case <-time.After(10 * time.Second):
				t.Error("the connection was kept")
			}
		})
	}
}

func TestServeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	l := listen(t)
	go func() { done <- serve(ctx, l, newServer(http.NotFoundHandler())) }()
	r, err := http.Get("http://" + l.Addr().String())
	if err != nil || r.StatusCode != 404 {
		t.Fatal(r, err)
	}
	r.Body.Close()
	cancel()
	select {
	case err := <-done:
		if err != nil && !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server did not stop")
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := run([]string{"--site", dir, "--export", out}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(out, "index.html")); err != nil || string(b) != "hello" {
		t.Errorf("exported %q, %v", b, err)
	}
	if err := run([]string{"--site", filepath.Join(dir, "missing")}); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("a missing site: %v", err)
	}
	if err := run([]string{"extra"}); err == nil {
		t.Error("an extra argument was taken")
	}
	if err := run([]string{"--site", dir, "--addr", "256.0.0.1:1"}); err == nil {
		t.Error("a bad address was taken")
	}
}
