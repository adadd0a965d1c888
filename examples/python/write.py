"""Writes ten points of a tag, a second apart and the last of them now, and prints the receipt."""

import json
import os
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

URL = os.environ.get("VARVE_URL", "http://127.0.0.1:4511")
TOKEN = os.environ.get("VARVE_TOKEN")


def write(dataset, points):
    """Stores points by tag, all or none of them. Gives the receipt; ends the program with the reason when it is refused."""
    headers = {"Content-Type": "application/json", "Prefer": "return=representation"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    request = urllib.request.Request(f"{URL}/api/datasets/{dataset}/data", json.dumps(points).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"]) from error


now = datetime.now(timezone.utc)
times = [now - timedelta(seconds=ago) for ago in range(9, -1, -1)]
receipt = write(
    "Examples",
    {"Pump/Flow": [{"t": time.isoformat(), "v": 40 + index / 2, "q": 192} for index, time in enumerate(times)]},
)
print("written:", receipt["written"], "ignored:", receipt["ignored"])
