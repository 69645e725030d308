#!/bin/sh
# Makes sure that the browser tests find Chromium: Debian's, installed when it is missing and we may install it.
# Prints nothing when there is nothing to do.
#
# Usage: scripts/chromium.sh [--help]
# Environment: CHROMIUM names the browser (default: /usr/bin/chromium).
# Exit status: 0 it is there, 3 it is not, and the message says what to do.
set -eu

case "${1:-}" in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

browser=${CHROMIUM:-/usr/bin/chromium}
[ -x "$browser" ] && exit 0

missing() {
  echo "The browser tests need Chromium, and $browser is missing: $1." >&2
  exit 3
}

[ -z "${CHROMIUM:-}" ] || missing 'correct the variable CHROMIUM'
command -v apt-get >/dev/null || missing 'install it, and set CHROMIUM to its path'
[ "$(id -u)" -eq 0 ] || missing "run 'apt-get install chromium' as root, or set CHROMIUM to another one"

echo 'Installing Chromium for the browser tests …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends chromium >/dev/null ||
  missing 'apt-get could not install it; see its message above'
[ -x "$browser" ] || missing 'apt-get put it elsewhere; set CHROMIUM to its path'
