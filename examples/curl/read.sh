#!/bin/sh
# Reads the last hour of two tags, every point of it.
set -eu
curl -sS -w '\n' "$@" -G "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/data" \
  --data-urlencode 'tagname=Boiler/Temperature' \
  --data-urlencode 'tagname=Boiler/Running' \
  -d relativeStart=-1h
