package model

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Watcher tells when files were saved, also by editors that write another file and give it the name.
// For that it watches the folders.
type Watcher struct {
	notify *fsnotify.Watcher
	files  []string // absolute, clean
	dirs   []string
	since  time.Time // of the newest event that Changed did not tell; zero: none
}

// settle is how long files must rest before they are read: an editor writes in several steps.
const settle = 60 * time.Millisecond

// NewWatcher gives a watcher of no file.
func NewWatcher() (*Watcher, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &Watcher{notify: n}, nil
}

// Watch watches these files instead of those before.
func (w *Watcher) Watch(files ...string) error {
	var abs, dirs []string
	for _, f := range files {
		f, err := filepath.Abs(f)
		if err != nil {
			return err
		}
		abs = append(abs, f)
		if d := filepath.Dir(f); !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	for _, d := range w.dirs {
		if !slices.Contains(dirs, d) {
			w.notify.Remove(d) // it may be gone already
		}
	}
	w.files, w.dirs, w.since = abs, nil, time.Time{}
	for _, d := range dirs {
		if err := w.notify.Add(d); err != nil {
			return err
		}
		w.dirs = append(w.dirs, d)
	}
	return nil
}

// Changed reports whether a file was saved and then rested.
func (w *Watcher) Changed(now time.Time) bool {
	for {
		select {
		case e := <-w.notify.Events:
			if e.Op&^fsnotify.Chmod != 0 && slices.Contains(w.files, filepath.Clean(e.Name)) {
				w.since = now
			}
			continue
		case <-w.notify.Errors: // the queue ran over: events are lost
			w.since = now
			continue
		default:
		}
		break
	}
	if w.since.IsZero() || now.Sub(w.since) < settle {
		return false
	}
	w.since = time.Time{}
	return true
}

// Close ends watching.
func (w *Watcher) Close() error { return w.notify.Close() }
