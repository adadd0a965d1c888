#!/bin/sh
# Prints the newest point of a tag and then every new one, until Ctrl-C. Run write.sh meanwhile.
set -eu
exec curl -sSN "$@" -G "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/live" \
  --data-urlencode 'tagname=Boiler/Temperature'
