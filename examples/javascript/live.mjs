// Prints the newest point of a tag and then every new one; after a broken connection it goes on where it was.
// node live.mjs [events]: ends after so many events, or else by Ctrl-C. (In a browser `EventSource` does all of this by itself.)

import { setTimeout as sleep } from 'node:timers/promises';

const url = process.env.VARVE_URL ?? 'http://127.0.0.1:4511';
const token = process.env.VARVE_TOKEN;
const mostEvents = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);

async function connect(dataset, tags, marker) {
  const query = new URLSearchParams(tags.map((tag) => ['tagname', tag]));
  const answer = await fetch(`${url}/api/datasets/${encodeURIComponent(dataset)}/live?${query}`, {
    headers: {
      accept: 'text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(marker ? { 'last-event-id': marker } : {}),
    },
  });
  if (answer.status >= 500) throw new TypeError(`the server answers ${answer.status}`);
  if (!answer.ok) throw new Error((await answer.json()).detail);
  return answer.body.pipeThrough(new TextDecoderStream());
}

/** Yields the fields of each event: `id`, `event`, `data`. */
async function* readEvents(stream) {
  let rest = '';
  for await (const text of stream) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => !line.startsWith(':'));
      if (lines.some((line) => line.startsWith('data: '))) yield Object.fromEntries(lines.map(splitField));
    }
  }
}

function splitField(line) {
  const end = line.indexOf(': ');
  return [line.slice(0, end), line.slice(end + 2)];
}

/** Yields name and data of each event, for ever. Throws with the reason when the server refuses. */
async function* follow(dataset, tags) {
  let marker;
  for (;;) {
    try {
      for await (const { id, event, data } of readEvents(await connect(dataset, tags, marker))) {
        marker = id;
        yield [event, JSON.parse(data)];
      }
    } catch (error) {
      // A connection that fails or breaks is a TypeError of `fetch`.
      if (!(error instanceof TypeError)) throw error;
      console.error(`connection lost: ${error.message}`);
    }
    await sleep(1000);
  }
}

let eventCount = 0;
for await (const [event, data] of follow('Examples', ['Fan/Vibration'])) {
  if (event === 'current' || event === 'points') {
    for (const [tag, points] of Object.entries(data)) {
      for (const { t, v, q } of points) console.log(event, tag, t, v, q);
    }
  }
  eventCount += 1;
  if (eventCount >= mostEvents) break;
}
