#!/bin/sh
# Reads the newest point of two tags: a read without times.
set -eu
curl -sS -w '\n' "$@" -G "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/data" \
  --data-urlencode 'tagname=Boiler/Temperature' \
  --data-urlencode 'tagname=Boiler/Running'
