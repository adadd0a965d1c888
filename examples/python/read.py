"""Prints the last hour of a tag: time, value and quality of each point."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("VARVE_URL", "http://127.0.0.1:4511")
TOKEN = os.environ.get("VARVE_TOKEN")


def read(dataset, **parameters):
    """Gives an entry for each tag. Ends the program with the reason when the read is refused."""
    query = urllib.parse.urlencode(parameters, doseq=True)
    headers = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    request = urllib.request.Request(f"{URL}/api/datasets/{dataset}/data?{query}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["tl"]
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"]) from error


for entry in read("Examples", tagname=["Pump/Flow"], relativeStart="-1h"):
    for point in entry["d"]:
        print(entry["t"]["n"], point["t"], point["v"], point["q"])
