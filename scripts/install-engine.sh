#!/usr/bin/env bash
# `scripts/install-engine.sh chdb|duckdb`: puts an engine that tests or benchmarks have beside Varve into `.engines`, from its
# package of npm. Nothing that runs needs it, and it is large: the library of chdb is 543 MB. Its version and the hashes of all
# its files are those of the lock file in `scripts/engines`, which npm checks. What is there already stays.
set -euo pipefail

name=$1
root=$(cd "$(dirname "$0")/.." && pwd)
wanted="$root/scripts/engines/$name"
folder="$root/.engines/$name"
if cmp -s "$wanted/package-lock.json" "$folder/installed-lock.json"; then exit 0; fi

mkdir -p "$folder"
cp "$wanted/package.json" "$wanted/package-lock.json" "$root/.npmrc" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --silent
# Last, and only when all has come.
cp "$wanted/package-lock.json" "$folder/installed-lock.json"
echo "installed $name"
