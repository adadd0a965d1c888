// Bodies of writes as text, as each peer takes them: the same points in every form.

import type { RequestPoints } from '../../workloads/bodies.ts';
import { JsonBytes } from '../../workloads/json-points.ts';
import { QUALITY } from './w1-points.ts';

const out = new JsonBytes();

/** The plain yardstick: `[{"tag":"…","points":[[ms,v,q],…]},…]`. */
export function arraysBody({ names, count, timesMs, numbers }: RequestPoints): Buffer {
  out.clear();
  for (let tag = 0, at = 0; tag < names.length; tag++) {
    out.text(`${tag === 0 ? '[' : ','}{"tag":"${names[tag]}","points":[`);
    for (let i = 0; i < count; i++, at++) {
      out.text(i === 0 ? '[' : ',[');
      out.whole(timesMs[at] as number);
      out.text(',');
      out.hundredths(numbers[at] as number);
      out.text(`,${QUALITY}]`);
    }
    out.text(']}');
  }
  out.text(']');
  return out.take();
}

/** InfluxDB's line protocol, all tags of a second behind each other; times in ms. */
export function lineProtocolBody({ names, count, timesMs, numbers }: RequestPoints): Buffer {
  out.clear();
  for (let i = 0; i < count; i++) {
    for (let tag = 0; tag < names.length; tag++) {
      const at = tag * count + i;
      out.text(`m,tag=${names[tag]} v=`);
      out.hundredths(numbers[at] as number);
      out.text(`,q=${QUALITY}i `);
      out.whole(timesMs[at] as number);
      out.text('\n');
    }
  }
  return out.take();
}

/** VictoriaMetrics' import: a line of JSON for each series. */
export function importLinesBody(points: RequestPoints): Buffer {
  out.clear();
  for (let tag = 0; tag < points.names.length; tag++) {
    out.text(`{"metric":{"__name__":"m_v","tag":"${points.names[tag]}"},"values":[`);
    writeColumn(points, tag, (at) => out.hundredths(points.numbers[at] as number));
    out.text('],"timestamps":[');
    writeColumn(points, tag, (at) => out.whole(points.timesMs[at] as number));
    out.text(']}\n');
  }
  return out.take();
}

function writeColumn({ count }: RequestPoints, tag: number, write: (at: number) => void): void {
  for (let i = 0; i < count; i++) {
    if (i > 0) out.text(',');
    write(tag * count + i);
  }
}

/** ClickHouse's JSONEachRow; a tag is its number. */
export function rowObjectsBody({ names, count, timesMs, numbers }: RequestPoints): Buffer {
  out.clear();
  for (let i = 0; i < count; i++) {
    for (let tag = 0; tag < names.length; tag++) {
      const at = tag * count + i;
      out.text(`{"tag":${tag},"t":`);
      out.whole(timesMs[at] as number);
      out.text(',"v":');
      out.hundredths(numbers[at] as number);
      out.text(`,"q":${QUALITY}}\n`);
    }
  }
  return out.take();
}
