#!/usr/bin/env bash
# Makes sure that what a target of the Makefile needs is on this machine.
#
#   scripts/setup.sh run    Go and Node, to build the site
#   scripts/setup.sh test   besides, Chromium for the browser tests and X11, OpenGL and Xvfb for
#                           the desktop program
#
# Missing Debian packages are installed where that is allowed (as root, or by sudo that asks no
# password); elsewhere, and for Go and Node, it says what is missing and fails.
set -euo pipefail

packages=(
  chromium                        # browser tests
  xvfb xauth                      # a display for the desktop program's tests
  gcc libc6-dev pkg-config        # cgo
  libgl1-mesa-dri                 # OpenGL in software: that display has no graphics card
  libgl1-mesa-dev libx11-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev
  libasound2-dev
)

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# need COMMAND MINIMUM VERSION: fails unless VERSION is at least MINIMUM.
need() {
  [ "$(printf '%s\n%s\n' "$2" "$3" | sort -V | head -n 1)" = "$2" ] ||
    fail "$1 $2 or newer is needed, ${3:-none} is installed"
}

command -v go >/dev/null || fail "Go is missing: https://go.dev/doc/install"
command -v node >/dev/null && command -v npm >/dev/null || fail "Node.js and npm are missing: https://nodejs.org"
need Go "$(awk '$1 == "go" { print $2 }' go.mod)" "$(go env GOVERSION | sed 's/^go//')"
need Node.js 18 "$(node --version | sed 's/^v//')"

case "${1:-}" in
run) exit 0 ;;
test) ;;
*) fail "usage: scripts/setup.sh run|test" ;;
esac

if ! command -v dpkg-query >/dev/null; then
  for c in chromium Xvfb gcc pkg-config; do
    command -v "$c" >/dev/null || fail "$c is missing, and this is no Debian where it could be installed from" \
      "the Debian packages that the tests need: ${packages[*]}"
  done
  exit 0
fi

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ]; then
  root=()
elif sudo -n true 2>/dev/null; then
  root=(sudo)
else
  fail "the tests need packages that are missing, and this user may not install them. Run:" \
    "  sudo apt-get install ${missing[*]}"
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -q
"${root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
