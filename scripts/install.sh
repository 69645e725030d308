#!/bin/sh
# Installs the packages of package-lock.json. npm prints nothing until it has finished, which takes minutes on a slow
# network, so this prints the progress every few seconds.
set -u

echo "Installing the packages of package-lock.json, once; this takes a minute or two …"
npm ci --ignore-scripts --engine-strict=false --no-audit --no-fund --loglevel=error &
npm=$!
trap 'kill "$npm" 2>/dev/null; exit 130' INT TERM

seconds=0
while kill -0 "$npm" 2>/dev/null; do
  sleep 1
  seconds=$((seconds + 1))
  if [ $((seconds % 4)) -eq 0 ]; then
    # Scoped packages are one folder deeper.
    packages=$(find node_modules -maxdepth 3 -name package.json 2>/dev/null | wc -l | tr -d ' ')
    echo "  … $packages packages after $seconds s"
  fi
done
wait "$npm"
