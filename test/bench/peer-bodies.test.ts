import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uncompress } from 'snappyjs';
import { PEERS } from '../../bench/peers/all-peers.ts';
import { makeW1Points, type W1Points } from '../../bench/peers/bodies/w1-points.ts';
import { buildPeerLoad } from '../../bench/peers/load.ts';
import type { PeerName } from '../../bench/peers/peer.ts';

/** `[ms, value, quality]` of a tag; a quality that the form does not carry is 192 here. */
type Points = [number, number, number][];

const SIZE = { tagCount: 5, pointsATag: 34, seed: 7 };
const w1 = makeW1Points(SIZE);

function expected({ names, pointsATag, timesMs, hundredths }: W1Points): Map<string, Points> {
  const pointAt = (at: number): Points[number] => [timesMs[at] as number, (hundredths[at] as number) / 100, 192];
  return new Map(
    names.map((name, tag) => [name, Array.from({ length: pointsATag }, (_, i) => pointAt(tag * pointsATag + i))]),
  );
}

/** Every point of a form's load by tag, in the order of sending of each connection. */
function sent(peer: PeerName, form: string, decode: (body: Buffer, add: Add) => void): Map<string, Points> {
  const found = PEERS[peer].forms.find(({ name }) => name.startsWith(form));
  assert.ok(found, `${peer} has no form '${form}'`);
  const load = buildPeerLoad(w1, found);
  assert.equal(load.points, SIZE.tagCount * SIZE.pointsATag);
  assert.equal(load.requests.length, 2);
  const all = new Map<string, Points>();
  const add: Add = (tag, ...point) => {
    const name = typeof tag === 'number' ? (w1.names[tag] as string) : tag;
    all.set(name, [...(all.get(name) ?? []), point]);
  };
  for (const { body } of load.requests.flat()) decode(body, add);
  for (const points of all.values()) points.sort(([a], [b]) => a - b);
  return all;
}
type Add = (tag: string | number, timeMs: number, value: number, quality: number) => void;

function lines(body: Buffer): string[] {
  const text = body.toString();
  assert.ok(text.endsWith('\n'));
  return text.slice(0, -1).split('\n');
}

test('arrays of JSON carry every point', () => {
  const got = sent('plain', 'JSON', (body, add) => {
    const tags = JSON.parse(body.toString()) as { tag: string; points: Points }[];
    for (const { tag, points } of tags) for (const point of points) add(tag, ...point);
  });
  assert.deepEqual(got, expected(w1));
});

test('the line protocol carries every point', () => {
  const got = sent('influxdb', 'line', (body, add) => {
    for (const line of lines(body)) {
      const [, tag, value, quality, time] = /^m,tag=(\S+) v=(\S+),q=(\d+)i (\d+)$/.exec(line) ?? [];
      add(tag as string, Number(time), Number(value), Number(quality));
    }
  });
  assert.deepEqual(got, expected(w1));
});

test('the import lines carry every point but its quality', () => {
  interface Line {
    metric: { __name__: string; tag: string };
    values: number[];
    timestamps: number[];
  }
  const got = sent('victoriametrics', 'JSON', (body, add) => {
    for (const { metric, values, timestamps } of lines(body).map((line) => JSON.parse(line) as Line)) {
      assert.equal(metric.__name__, 'm_v');
      assert.equal(values.length, timestamps.length);
      for (const [i, value] of values.entries()) add(metric.tag, timestamps[i] as number, value, 192);
    }
  });
  assert.deepEqual(got, expected(w1));
});

test('rows of JSON carry every point', () => {
  const got = sent('clickhouse', 'JSON', (body, add) => {
    for (const line of lines(body)) {
      const { tag, t, v, q } = JSON.parse(line) as { tag: number; t: number; v: number; q: number };
      add(tag, t, v, q);
    }
  });
  assert.deepEqual(got, expected(w1));
});

test('binary rows carry every point', () => {
  const got = sent('clickhouse', 'binary', (body, add) => {
    assert.equal(body.length % 22, 0);
    for (let at = 0; at < body.length; at += 22) {
      const time = Number(body.readBigInt64LE(at + 4));
      add(body.readUInt32LE(at), time, body.readDoubleLE(at + 12), body.readInt16LE(at + 20));
    }
  });
  assert.deepEqual(got, expected(w1));
});

test('a binary COPY carries every point between its head and its end', () => {
  const got = sent('postgresql', 'COPY', (body, add) => {
    assert.equal(body.toString('latin1', 0, 11), 'PGCOPY\n\xff\r\n\0');
    let at = 19;
    for (; body.readInt16BE(at) === 4; at += 40) {
      assert.deepEqual(
        [2, 10, 22, 34].map((offset) => body.readInt32BE(at + offset)),
        [4, 8, 8, 2],
      );
      const microseconds = Number(body.readBigInt64BE(at + 14));
      const timeMs = microseconds / 1000 + Date.UTC(2000, 0, 1);
      add(body.readInt32BE(at + 6), timeMs, body.readDoubleBE(at + 26), body.readInt16BE(at + 38));
    }
    assert.equal(body.readInt16BE(at), -1);
    assert.equal(at + 2, body.length);
  });
  assert.deepEqual(got, expected(w1));
});

/** The fields of a protobuf message: bytes, doubles or whole numbers. */
function fields(bytes: Buffer): [number, Buffer | number][] {
  const found: [number, Buffer | number][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const head = varint();
    if ((head & 7) === 0) found.push([head >> 3, varint()]);
    else if ((head & 7) === 1) {
      found.push([head >> 3, bytes.readDoubleLE(at)]);
      at += 8;
    } else {
      assert.equal(head & 7, 2);
      const end = varint() + at;
      assert.ok(end <= bytes.length);
      found.push([head >> 3, bytes.subarray(at, end)]);
      at = end;
    }
  }
  return found;
}

interface Series {
  readonly labels: ReadonlyMap<string, string>;
  readonly samples: readonly (readonly [timeMs: number, value: number])[];
}

function remoteSeries(body: Buffer): Series[] {
  return fields(Buffer.from(uncompress(body))).map(([, series]) => {
    const parts = fields(series as Buffer);
    const inside = (field: number) => parts.filter(([at]) => at === field).map(([, part]) => fields(part as Buffer));
    return {
      labels: new Map(inside(1).map(([name, value]) => [String(name?.[1]), String(value?.[1])])),
      samples: inside(2).map(([value, time]) => [time?.[1] as number, value?.[1] as number]),
    };
  });
}

test('remote write carries every point, and its quality as a second series when it shall', () => {
  for (const form of ['binary, no quality', 'binary, quality']) {
    let qualities = 0;
    const got = sent('victoriametrics', form, (body, add) => {
      for (const { labels, samples } of remoteSeries(body)) {
        for (const [timeMs, value] of samples) {
          if (labels.get('__name__') === 'm_v') add(labels.get('tag') as string, timeMs, value, 192);
          else qualities += labels.get('__name__') === 'm_q' && value === 192 ? 1 : 0;
        }
      }
    });
    assert.deepEqual(got, expected(w1), form);
    assert.equal(qualities, form === 'binary, quality' ? SIZE.tagCount * SIZE.pointsATag : 0, form);
  }
});

test('each connection of Varve has tags of its own, and their points in order', () => {
  const form = PEERS.varve.forms[0];
  assert.ok(form);
  const halves = buildPeerLoad(w1, form).requests.map((own) => {
    const all = new Map<string, number[]>();
    for (const { body } of own) {
      const tags = JSON.parse(body.toString()) as Record<string, { t: string; v: number; q: number }[]>;
      for (const [name, points] of Object.entries(tags)) {
        all.set(name, [...(all.get(name) ?? []), ...points.map(({ t }) => Date.parse(t))]);
      }
    }
    return all;
  });
  const times = new Map(Array.from(expected(w1), ([name, points]) => [name, points.map(([timeMs]) => timeMs)]));
  assert.deepEqual(new Map(halves.flatMap((half) => [...half])), times);
  assert.equal((halves[0]?.size ?? 0) + (halves[1]?.size ?? 0), SIZE.tagCount);
});

test('requests have as many points of each tag as are asked for', () => {
  for (const { name, forms } of [PEERS.plain, PEERS.varve]) {
    const form = forms[0];
    assert.ok(form);
    const { requests, points } = buildPeerLoad(w1, form, 1);
    const counts = requests.flat().map((request) => request.points);
    const requestsAPoint = form.sharing === 'in turn' ? 1 : 2;
    assert.equal(counts.length, requestsAPoint * SIZE.pointsATag, name);
    assert.equal(Math.max(...counts), Math.ceil(SIZE.tagCount / requestsAPoint), name);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      points,
      name,
    );
  }
});
