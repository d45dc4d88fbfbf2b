// Command serve serves the built site to a browser on this machine, or writes it as a static site.
//
//	serve [-addr 127.0.0.1:8080] [-site build/site]
//	serve -export DIR
//
// Without -addr only this machine can connect. The page needs no server beyond static files: what
// -export writes works on any web server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"swizzle/cmd/serve/site"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; port 0 picks a free one")
	dir := flags.String("site", "build/site", "folder of the built site")
	export := flags.String("export", "", "write the static site to this `folder` instead of serving it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	s, err := site.Load(*dir)
	if err != nil {
		return fmt.Errorf("%w (make build makes the site)", err)
	}
	if *export != "" {
		return s.Export(*export)
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Printf("Swizzle is at http://%s/\n", l.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve(ctx, l, newServer(s))
}

// newServer makes a server that no slow client can hold: a header must be there in 5 seconds, an
// answer be taken in a minute.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// serve answers requests until ctx ends, then lets running ones finish.
func serve(ctx context.Context, l net.Listener, srv *http.Server) error {
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return srv.Shutdown(ctx)
	}
}
