#!/bin/sh
# Makes sure that the browser tests find Chromium: Debian's, installed when it is missing and we may install it.
# Prints nothing when there is nothing to do.
#
# Usage: scripts/chromium.sh [--help]
# Environment: CHROMIUM names the browser (default: /usr/bin/chromium-headless-shell, else /usr/bin/chromium).
# Exit status: 0 it is there, 3 it is not, and the message says what to do.
set -eu

case "${1:-}" in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

missing() {
  echo "The browser tests need Chromium, and $1." >&2
  exit 3
}

if [ -n "${CHROMIUM:-}" ]; then
  [ -x "$CHROMIUM" ] || missing "$CHROMIUM is missing: correct the variable CHROMIUM"
  exit 0
fi

[ -x /usr/bin/chromium-headless-shell ] && exit 0

# The full browser works as well, but is slower.
for package in chromium-headless-shell chromium; do
  if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] && [ ! -x "/usr/bin/$package" ]; then
    echo "Installing $package for the browser tests …" >&2
    export DEBIAN_FRONTEND=noninteractive
    [ "$package" = chromium ] || apt-get update -qq >/dev/null || true
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null || true
  fi
  [ -x "/usr/bin/$package" ] && exit 0
done

missing "there is none: run 'apt-get install chromium-headless-shell' as root, \
or set CHROMIUM to the path of another one"
