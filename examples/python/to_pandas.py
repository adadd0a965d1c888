"""Loads an hour of all pumps into pandas: counts, averages of ten minutes, and a file of Parquet. Needs pandas, and pyarrow for the last."""

import io
import os
import urllib.error
import urllib.parse
import urllib.request

import pandas as pd

URL = os.environ.get("VARVE_URL", "http://127.0.0.1:4511")
TOKEN = os.environ.get("VARVE_TOKEN")


def export(dataset, **parameters):
    """Gives the bytes of a file. Ends the program with the reason when the read is refused."""
    query = urllib.parse.urlencode(parameters, doseq=True)
    headers = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    request = urllib.request.Request(f"{URL}/api/datasets/{dataset}/data?{query}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return io.BytesIO(answer.read())
    except urllib.error.HTTPError as error:
        raise SystemExit(error.read().decode()) from error


def read_points(file):
    """The points of a CSV file with a row for each: `value` as it was written, and as a number where it is one."""
    points = pd.read_csv(file, dtype={"tag": str, "value": str}, keep_default_na=False)
    points["time"] = pd.to_datetime(points["time"], format="ISO8601", utc=True)
    points["number"] = pd.to_numeric(points["value"], errors="coerce")
    return points


points = read_points(export("Examples", tags="Pump/*", relativeStart="-1h", format="csv"))
good = points[points["quality"] >= 64]
print(good.groupby("tag")["number"].agg(["count", "mean", "min", "max"]))
print(good.set_index("time").groupby("tag")["number"].resample("10min").mean())

try:
    stored = pd.read_parquet(export("Examples", tags="Pump/*", relativeStart="-1h", format="parquet"))
    print(stored[["tag", "time", "value", "quality"]].tail())
except ImportError:
    print("pyarrow is not installed: without it pandas reads no Parquet.")
