// Writes a minute of a tag as columns, a point a second, and prints the receipt.

const url = process.env.VARVE_URL ?? 'http://127.0.0.1:4511';
const token = process.env.VARVE_TOKEN;

/** Stores columns by tag, all or none of them. Gives the receipt; throws with the reason when it is refused. */
async function write(dataset, columns) {
  const answer = await fetch(`${url}/api/datasets/${encodeURIComponent(dataset)}/data`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(columns),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

const nowMs = Date.now();
const times = Array.from({ length: 60 }, (_, index) => nowMs - (59 - index) * 1000);
const values = times.map((timeMs) => Math.round(1000 * Math.sin(timeMs / 10_000)) / 100);
const receipt = await write('Examples', { 'Fan/Vibration': { t: times, v: values, q: 192 } });
console.log(`written: ${receipt.written}, ignored: ${receipt.ignored}`);
