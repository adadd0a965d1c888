#!/bin/sh
# Reads a day of a tag for a chart 200 pixels wide: a few points for each pixel, among them every extreme. `reducedFrom` says
# of how many.
set -eu
curl -sS -w '\n' "$@" -G "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/data" \
  --data-urlencode 'tagname=Boiler/Temperature' \
  -d relativeStart=-1d -d points=200 -d format=columns
