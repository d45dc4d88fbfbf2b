# make run    builds everything and serves the page at http://127.0.0.1:$(PORT)/
# make test   installs what the tests need, then runs the gate and all tests, the browser's included
# make test-chromium  the tests of the engines alone, on Chromium's WebAssembly engine
# make check  the gate alone: format, vet, staticcheck, import policy, the WASM build
# make build  the site in build/site and the command line in build/swizzle
# make desktop  the desktop program in build/desktop; it needs cgo and the X11 and OpenGL headers
# make bench  prints what the product promises in figures
# make bench-native  the engines beside softpipe and llvmpipe, where Mesa and a C compiler are installed
# make soak   plays animations for MINUTES, natively and in the page, and watches the memory
# make flips  law 2 over every single-bit flip of the corpus
# make fuzz   each fuzz target for FUZZTIME

PORT     ?= 8080
MINUTES  ?= 10
FUZZTIME ?= 5m
# Longer than any package's tests take on two slow cores; a hang ends here.
TIMEOUT  ?= 10m

GO   ?= go
JS    = GOOS=js GOARCH=wasm
NODE  = -exec="$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec"

DRAWBENCH = $(GO) test -count=1 -v -run '^$$' -bench Draw ./wasm/drawbench

# What only a browser runs; all else is built natively.
BROWSER = ./wasm ./wasm/drawbench/drawer

.PHONY: run build swizzle desktop test test-chromium check staticcheck clean-tree bench bench-native soak flips fuzz

run:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	$(GO) run ./cmd/serve -addr 127.0.0.1:$(PORT)

build: swizzle
	$(GO) run ./cmd/serve/build -o build/site

swizzle:
	$(GO) build -o build/swizzle ./cmd/swizzle

desktop:
	$(GO) build -o build/desktop ./cmd/desktop

test:
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory check build
	$(GO) test -timeout $(TIMEOUT) ./...
	@$(MAKE) --no-print-directory test-chromium
	@$(MAKE) --no-print-directory clean-tree

# The tests of the engines once more, on the browser's own WebAssembly engine.
test-chromium:
	$(GO) build -o build/chromiumexec ./internal/chromiumexec
	$(JS) $(GO) test -timeout $(TIMEOUT) -exec="$(CURDIR)/build/chromiumexec" ./shaderkit/jit ./shaderkit/cases ./render/scene
	$(JS) $(GO) test -timeout $(TIMEOUT) -exec="$(CURDIR)/build/chromiumexec" -run 'Conformance|WatertightPictures' ./render

check: staticcheck
	@bad=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
		if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(JS) $(GO) vet $(BROWSER)
	$(GO) test -timeout $(TIMEOUT) ./internal/depcheck
	$(JS) $(GO) build -o build/check.wasm ./wasm

# The tool is built natively, so that it can look at what is built for the browser too.
staticcheck:
	@$(GO) build -o build/staticcheck honnef.co/go/tools/cmd/staticcheck
	build/staticcheck ./...
	$(JS) build/staticcheck $(BROWSER)

# Building and testing change no tracked file and leave none behind. In CI alone: a developer's tree
# is rarely clean.
clean-tree:
	@if [ "$$CI" = true ] && [ -n "$$(git status --porcelain)" ]; then \
		echo "the tree is not clean after the tests:"; git status --short; exit 1; fi

bench: build
	@echo "== decode, print, annotate in WASM under Node"
	$(JS) $(GO) test $(NODE) -run '^$$' -bench 'DecodePrint|Annotate' ./shaderkit/d3d9
	@echo "== the page in headless Chromium"
	$(GO) test -count=1 -v -run '^$$' -bench . ./wasm/browsertest
	@echo "== engines and WebGL, taking turns in headless Chromium"
	$(DRAWBENCH)
	@echo "== the same on one core, so that both have one thread's worth"
	@if command -v taskset >/dev/null; then taskset -c 0 $(DRAWBENCH); else echo "not measured: there is no taskset"; fi

bench-native:
	$(GO) test -count=1 -v -run '^$$' -bench Native ./wasm/drawbench

soak:
	$(GO) test -count=1 -v -timeout 0 -run MemoryStaysFlat ./render/scene -minutes $(MINUTES)
	$(GO) test -count=1 -v -timeout 0 -run MemoryStaysFlat ./wasm/browsertest -minutes $(MINUTES)

flips:
	$(GO) test -count=1 -v -timeout 60m -run Flip ./shaderkit/...

fuzz:
	@bad=; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "== $$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || bad="$$bad $$target"; \
		done; \
	done; \
	if [ -n "$$bad" ]; then echo "fuzzing found something:$$bad"; exit 1; fi
