#!/usr/bin/env bash
# Installs the engines that `npm run bench -- --peers` measures beside Varve, from Debian 12's packages, and DuckDB, which the
# suite `aggregates` has beside it. Called by hand only: nothing of the project needs them. What it installs starts neither now
# nor at the next boot, and what is there stays as it is.
set -euo pipefail

"$(dirname "$0")/install-engine.sh" duckdb

# A command, and behind a colon its package where that is called otherwise.
packages=(
  /usr/lib/postgresql/15/bin/postgres:postgresql-15
  influxd:influxdb
  victoria-metrics
  clickhouse-server
)
missing=()
for entry in "${packages[@]}"; do
  command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=("${entry##*:}")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "nothing to install: ${packages[*]##*:} are there"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo "this needs a Debian system and to be root; it would install ${missing[*]}" >&2
  exit 1
fi

# A package asks this program whether it may start its service; 101 is no.
policy=/usr/sbin/policy-rc.d
answer=0
if [ -x "$policy" ]; then "$policy" postgresql start >/dev/null 2>&1 || answer=$?; fi
if [ "$answer" -ne 101 ]; then
  aside=$(mktemp -d)
  if [ -e "$policy" ]; then mv "$policy" "$aside/policy-rc.d"; fi
  trap 'rm -f "$policy"; if [ -e "$aside/policy-rc.d" ]; then mv "$aside/policy-rc.d" "$policy"; fi; rmdir "$aside"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

if command -v systemctl >/dev/null 2>&1; then
  for package in "${missing[@]}"; do
    service=${package%-15}
    systemctl disable --quiet "$service" 2>/dev/null || true
  done
fi
echo "installed ${missing[*]}"
