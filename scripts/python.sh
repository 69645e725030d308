#!/bin/sh
# Creates or updates the project's Python environment, `.venv`, from the pinned list beside this file.
# Needed to regenerate the Python SDK and to test; `make start` does without Python.
#
# Usage: scripts/python.sh [--help]
# Environment: PYTHON3 names the interpreter to build from (default: the first one that is 3.11 or newer).
# Exit status: 0 ready, 1 the packages could not be installed, 3 no suitable Python.
set -eu

case "${1:-}" in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
venv="$root/.venv"
lock="$root/scripts/python-requirements.txt"
stamp="$venv/installed.txt"

# What the environment depends on: the list of packages, and the folder, because the entry points in `.venv/bin` contain
# its absolute path and break if the tree is moved.
expected() { printf '# %s\n' "$root"; cat "$lock"; }

if [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null &&
  [ -f "$stamp" ] && expected | cmp -s - "$stamp"; then
  exit 0
fi

# `ensurepip` is checked because some distributions ship `venv` without it.
suitable() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11)); ' >/dev/null 2>&1 &&
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

python=
for candidate in ${PYTHON3:-} python3 python3.14 python3.13 python3.12 python3.11; do
  if suitable "$candidate"; then
    python=$candidate
    break
  fi
done

if [ -z "$python" ]; then
  cat >&2 <<'MESSAGE'
Python 3.11 or newer with the venv module is needed to regenerate the Python SDK and to run the tests.
Install it (Debian and Ubuntu: python3 python3-venv; Fedora: python3; macOS: brew install python@3.13)
or name an interpreter: PYTHON3=/path/to/python3 make test
`make start` does not need Python.
MESSAGE
  exit 3
fi

echo "Python environment: installing into .venv with $("$python" --version)" >&2
# An environment of this folder is updated in place, so that processes that use it can go on.
kept=$(head -n 1 "$stamp" 2>/dev/null || true)
rm -f "$stamp"
if [ "$kept" != "# $root" ] || ! suitable "$venv/bin/python"; then
  "$python" -m venv --clear "$venv"
fi
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$lock"; then
  echo 'The pinned Python packages could not be installed; see the message of pip above.' >&2
  exit 1
fi
expected >"$stamp"
