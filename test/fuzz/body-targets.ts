// Fuzzed: the bodies and queries of requests.

import { pack } from 'msgpackr';
import { ValueType } from '../../engine/index.ts';
import { Tag } from '../../engine/tag/tag.ts';
import { TagNames } from '../../engine/tag/tag-names.ts';
import { datasetBodySchema, toDatasetDefinition } from '../../server/api/schemas/dataset.ts';
import { readBodySchema } from '../../server/api/schemas/read.ts';
import { tagBodySchema, toTagChange } from '../../server/api/schemas/tag.ts';
import { parseJsonBody } from '../../server/api/validation/json-body.ts';
import { requireObject } from '../../server/api/validation/validate.ts';
import { firstMoment } from '../../server/calculation/expression.ts';
import type { BodyParser, WriteBodyShape } from '../../server/codec/body/body-parser.ts';
import { MsgpackParser } from '../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../server/codec/read-json/tvq-parser.ts';
import { asBody, BODY_SPARE_BYTES } from '../../server/http/contract/body-bytes.ts';
import { parseQuery } from '../../server/http/routing/query.ts';
import { ProblemError } from '../../server/problem.ts';
import { resolveReadForm, toReadForm, toReadFormOfBody } from '../../server/routes/request/read-parameters.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { mutateBytes, mutateText } from './mutate.ts';

const TYPES = Object.values(ValueType);
const NOW = { ms: Date.UTC(2026, 0, 1), ticks: 0 };

/** Tags `A0`, `A1`…, one of each type. */
export const LOOKUP = new TagNames();
for (const [i, type] of TYPES.entries()) LOOKUP.add(`A${i}`, new Tag(i, { name: `A${i}`, type }));

const VALUES: readonly unknown[] = [1, -0.5, 12.34, 1e21, null, true, 'text', 'ü€😀', '9007199254740993', 0];
const TIMES: readonly unknown[] = [
  '2024-01-01T00:00:00.123Z',
  '2024-01-01T00:00:00.1234567+02:00',
  '2024-06-30',
  '2016-12-31T23:59:60.000Z',
  undefined,
];

function drawBody(random: SeededRandom): unknown {
  const point = (): object => ({
    t: random.pick(TIMES),
    v: random.pick(VALUES),
    q: random.pick([192, 0, 64, undefined]),
  });
  const list = <T>(make: () => T): T[] => Array.from({ length: random.below(12) }, make);
  const columns = (): object => {
    const count = random.below(12);
    const column = (make: () => unknown): unknown[] => Array.from({ length: count }, make);
    return { t: column(() => NOW.ms + random.below(1e6)), v: column(() => random.pick(VALUES)), q: 192 };
  };
  const names = list(() => random.pick(['A', 'B', '__proto__', 'a/b~c', 'ü']) + random.below(TYPES.length + 2));
  return Object.fromEntries(names.map((name) => [name, random.chance(0.3) ? columns() : list(point)]));
}

function parsed(parser: BodyParser, bytes: Uint8Array, random: SeededRandom): void {
  const shape: WriteBodyShape = random.chance(0.7) ? { kind: 'tags' } : { kind: 'points', tag: 'A3' };
  const handling = random.pick(['strict', 'lenient'] as const);
  const spareBytes = random.pick([0, BODY_SPARE_BYTES]);
  const options = { shape, lookup: LOOKUP, handling, arrivalMs: NOW.ms, maxTextBytes: 65_536, spareBytes };
  const { batch, faults, faultCount, rejected } = parser.parse(asBody(bytes), options);
  const counted = batch.runs.reduce((sum, { count }) => sum + count, 0);
  if (counted !== batch.points.count) throw new Error(`runs of ${counted} points, ${batch.points.count} in the batch`);
  if (faults.length > faultCount || rejected < 0) throw new Error('faults do not add up');
  parser.release(batch);
}

function isDeclared(error: unknown): boolean {
  return error instanceof ProblemError && error.status >= 400 && error.status < 500;
}

const json = new TvqParser();
const msgpack = new MsgpackParser();

const READ_QUERY =
  'tagname=A1&tagname=a%2Fb&start=2024-01-01T08:00:00+02:00&end=2025-01-01&limit=10&after=1.2&boundary=carry&exact=string&format=columns';
const QUERIES = [
  READ_QUERY,
  'unixStart=1700000000.5&unixEnd=1700000001000',
  'relativeStart=-2h30m&relativeEnd=now',
  'expr=(A.b%20-%20"c%20d")*2/max(1,e,-.5e3)&start=2024-01-01&expr=sqrt(pow(x,2))%25y',
  'tagname=A&aggregate=TimeAverage,Count&interval=1h30m&align=true&tz=Europe/Berlin&percentGood=50&fill=linear&start=2024-01-01&end=2024-01-02',
  'a',
];

const METADATA = [
  '{"n":"T","d":"x","f":"0.00","u":{"0":"Off","1":"On"},"fl":{"a":"b"},"t":"System.Int32"}',
  '{"n":"P","pa":1,"ps":2,"s":1.5,"c":3,"a":0.1}',
  '{"tagname":["A1","B"],"start":"2024-01-01T00:00:00Z","unixEnd":1700000000,"limit":5,"after":["1.2"],"missing":"skip"}',
  '{"expr":["(A - B) * 60"],"unixStart":1700000000,"aggregate":["Average"],"interval":"1h","treatUncertainAsBad":false}',
];

export const bodyTargets: readonly FuzzTarget[] = [
  {
    name: 'points as JSON',
    isDeclared,
    run: (random) => {
      const text = JSON.stringify(drawBody(random));
      const bytes = Buffer.from(mutateText(text, random));
      parsed(json, random.chance(0.5) ? mutateBytes(bytes, random, 'any') : bytes, random);
    },
  },
  {
    name: 'points as msgpack',
    isDeclared,
    run: (random) => parsed(msgpack, mutateBytes(pack(drawBody(random)), random, 'any'), random),
  },
  {
    name: 'definitions and reads as JSON',
    isDeclared,
    run: (random) => {
      const value = parseJsonBody(Buffer.from(mutateText(random.pick(METADATA), random)));
      switch (random.below(3)) {
        case 0:
          toTagChange(requireObject(tagBodySchema, value));
          break;
        case 1:
          toDatasetDefinition(requireObject(datasetBodySchema, value));
          break;
        default:
          resolveReadForm(toReadFormOfBody(requireObject(readBodySchema, value)), NOW, { boundary: 'inside' });
      }
    },
  },
  {
    name: 'queries',
    isDeclared,
    run: (random) => {
      const query = parseQuery(mutateText(random.pick(QUERIES), random));
      const { expressions } = resolveReadForm(toReadForm(query), NOW, { boundary: 'carry' });
      for (const expression of expressions)
        expression.evaluate(new Float64Array(expression.tags.length), firstMoment(expression, 0));
    },
  },
];
