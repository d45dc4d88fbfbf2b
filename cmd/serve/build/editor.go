package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// bundleEditor installs the editor's packages as its lock file names them, when they are not there
// yet, and bundles them with its source into one minified script.
func bundleEditor(root string) ([]byte, error) {
	dir := filepath.Join(root, "static", "editor")
	if err := installPackages(dir); err != nil {
		return nil, err
	}
	r := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(dir, "editor.js")},
		Bundle:            true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
	})
	if len(r.Errors) > 0 {
		var errs []error
		for _, m := range api.FormatMessages(r.Errors, api.FormatMessagesOptions{}) {
			errs = append(errs, errors.New(m))
		}
		return nil, fmt.Errorf("bundling the editor: %w", errors.Join(errs...))
	}
	return r.OutputFiles[0].Contents, nil
}

// installPackages runs npm ci in dir unless its last installation was of the same lock file.
func installPackages(dir string) error {
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(dir, "node_modules", ".installed-lock")
	if done, err := os.ReadFile(stamp); err == nil && string(done) == string(lock) {
		return nil
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", dir, err, out)
	}
	return os.WriteFile(stamp, lock, 0o644)
}
