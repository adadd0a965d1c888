// Prints the last hour of a tag: time, value and quality of each point.

const url = process.env.VARVE_URL ?? 'http://127.0.0.1:4511';
const token = process.env.VARVE_TOKEN;

/** Gives an entry for each tag. Throws with the reason when the read is refused. */
async function read(dataset, tags, times) {
  const query = new URLSearchParams([...tags.map((tag) => ['tagname', tag]), ...Object.entries(times)]);
  const answer = await fetch(`${url}/api/datasets/${encodeURIComponent(dataset)}/data?${query}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body.tl;
}

for (const entry of await read('Examples', ['Fan/Vibration'], { relativeStart: '-1h' })) {
  for (const { t, v, q } of entry.d) console.log(entry.t.n, t, v, q);
}
