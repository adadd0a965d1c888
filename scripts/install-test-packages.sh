#!/usr/bin/env bash
# Installs what some tests need besides the packages of package.json: chdb, and Debian packages. Tests whose program is missing
# say so and are left out, so this steps aside where it cannot install.
set -euo pipefail

if ! "$(dirname "$0")/install-engine.sh" chdb; then
  echo "could not install chdb: the tests that need it will be left out" >&2
fi

# A command, and behind a colon its package where that is called otherwise.
packages=(clickhouse-server strace chromium-headless-shell mosquitto faketime mkfs.xfs:xfsprogs nginx:nginx-light haproxy zsh fish prometheus java:default-jre-headless)
missing=()
for entry in "${packages[@]}"; do
  command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=("${entry##*:}")
done
[ -e /usr/share/java/zookeeper.jar ] || missing+=(libzookeeper-java)
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "not a Debian system: the tests that need ${missing[*]} will be left out" >&2
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "not root: the tests that need ${missing[*]} will be left out (apt-get install ${missing[*]})" >&2
  exit 0
fi
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }; then
  echo "could not install ${missing[*]}: the tests that need them will be left out" >&2
  exit 0
fi

# The tests start programs of their own; a package just installed must not go on serving by itself.
for package in "${missing[@]}"; do
  case "$package" in
    nginx-light) service=nginx ;;
    haproxy | mosquitto | clickhouse-server | prometheus) service=$package ;;
    *) continue ;;
  esac
  if [ -d /run/systemd/system ]; then
    systemctl disable --now --quiet "$service" || true
  elif command -v service >/dev/null 2>&1; then
    service "$service" stop >/dev/null 2>&1 || true
  fi
done
