#!/bin/sh
# Writes a value of two tags at the time of receipt, and prints the receipt. The first write creates dataset and tags.
# What follows the command goes to curl: sh write.sh -H "Authorization: Bearer $VARVE_TOKEN"
set -eu
curl -sS -w '\n' "$@" "${VARVE_URL:-http://127.0.0.1:4511}/api/datasets/Examples/data" \
  -H 'Prefer: return=representation' \
  -d '{"Boiler/Temperature":[{"v":71.5}],"Boiler/Running":[{"v":true}]}'
