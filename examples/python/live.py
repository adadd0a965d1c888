"""Prints the newest point of a tag and then every new one; after a broken connection it goes on where it was.

python3 live.py [events]: ends after so many events, or else by Ctrl-C.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("VARVE_URL", "http://127.0.0.1:4511")
TOKEN = os.environ.get("VARVE_TOKEN")
# The server sends something every 5 s: after 20 s of silence the connection is dead.
SILENCE_SECONDS = 20


def connect(dataset, tags, marker):
    query = urllib.parse.urlencode({"tagname": tags}, doseq=True)
    headers = {"Accept": "text/event-stream"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    if marker:
        headers["Last-Event-ID"] = marker
    request = urllib.request.Request(f"{URL}/api/datasets/{dataset}/live?{query}", headers=headers)
    return urllib.request.urlopen(request, timeout=SILENCE_SECONDS)


def read_events(stream):
    """Yields name, marker and data of each event."""
    fields = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\r\n").partition(": ")
        if value and name:
            fields[name] = value
        elif not name and not value and "data" in fields:
            yield fields["event"], fields["id"], json.loads(fields["data"])
            fields = {}


def follow(dataset, tags):
    """Yields name and data of each event, for ever."""
    marker = None
    while True:
        try:
            with connect(dataset, tags, marker) as stream:
                for name, marker, data in read_events(stream):
                    yield name, data
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise SystemExit(json.load(error)["detail"]) from error
        except (OSError, http.client.HTTPException) as error:
            print("connection lost:", error, file=sys.stderr)
        time.sleep(1)


remaining = int(sys.argv[1]) if len(sys.argv) > 1 else None
for event, data in follow("Examples", ["Pump/Flow"]):
    if event in ("current", "points"):
        for tag, points in data.items():
            for point in points:
                print(event, tag, point["t"], point["v"], point["q"], flush=True)
    if remaining is not None:
        remaining -= 1
        if remaining == 0:
            break
