#!/bin/sh
# Writes three points of a tag as columns, times in milliseconds since 1970, and prints the receipt.
set -eu
now=$(date +%s)
curl -sS -w '\n' "$@" "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/data" \
  -H 'Prefer: return=representation' \
  -d "{\"Boiler/Pressure\":{\"t\":[$((now - 2))000,$((now - 1))000,${now}000],\"v\":[1.21,1.22,null],\"q\":[192,192,24]}}"
