// What is asked of corrections: one more over very many, one of very many points, to undo, to list and to read beneath them.

import {
  assertStatus,
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  sendEach,
  sized,
  takeAll,
} from './expensive-request.ts';

const DATASET = '/api/datasets/Corrected';
const CORRECTIONS = `${DATASET}/corrections`;
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 1000;
/** More than a body of 1 MiB would hold are written in parts. */
const POINTS_AT_ONCE = 10_000;

function corrections(context: FairnessContext): number {
  return sized(context, 2000, 20_000);
}

function timeOf(step: number): string {
  return new Date(START_MS + step * STEP_MS).toISOString();
}

/** In full the most that a correction may have. */
function insertedPoints(context: FairnessContext): number {
  return sized(context, 1000, 10_000);
}

/** A tag with very many points, every one of the newer half taken away by a correction of its own. */
function fill(context: FairnessContext): Promise<void> {
  return context.once('corrections', async () => {
    const { http } = context;
    assertStatus(await http.post('/api/datasets', { n: 'Corrected', pa: 0, ps: 0 }), 201, 'a dataset');
    const count = 2 * corrections(context);
    for (let from = 0; from < count; from += POINTS_AT_ONCE) {
      const length = Math.min(POINTS_AT_ONCE, count - from);
      const points = Array.from({ length }, (_, i) => ({ t: timeOf(from + i), v: i }));
      assertStatus(await http.post(`${DATASET}/data/Spikes`, points), 200, 'points');
    }
    const steps = Array.from({ length: count / 2 }, (_, i) => count / 2 + i);
    await sendEach(steps, (step) => remove(context, step));
  });
}

async function remove({ http }: FairnessContext, step: number): Promise<number> {
  const range = `start=${timeOf(step)}&end=${timeOf(step)}`;
  const answer = await http.send('POST', `${CORRECTIONS}?tagname=Spikes&kind=delete&${range}`);
  assertStatus(answer, 201, 'a correction');
  return answer.json<{ id: number }>().id;
}

let nextStep = 0;
let undoableId = 0;

const rows: readonly ExpensiveRequest[] = [
  {
    name: 'one more correction of a tag that has very many',
    setUp: fill,
    send: async (context) => {
      for (let i = 0; i < 5; i++) await remove(context, nextStep++);
    },
  },
  {
    name: 'to undo one of very many corrections',
    setUp: async (context) => {
      await fill(context);
      undoableId = await remove(context, nextStep++);
    },
    send: async ({ http }) => {
      assertStatus(await http.send('POST', `${CORRECTIONS}/${undoableId}/undo`), 200, 'undone');
    },
  },
  {
    name: 'a correction of as many points as one may have',
    setUp: fill,
    send: async (context) => {
      const length = insertedPoints(context);
      const points = Array.from({ length }, (_, i) => ({
        t: new Date(START_MS + (i * corrections(context) * STEP_MS) / length).toISOString(),
        v: i,
      }));
      const answer = await context.http.post(`${CORRECTIONS}?tagname=Spikes&kind=insert`, points);
      assertStatus(answer, 201, 'a correction');
    },
  },
  {
    name: 'the first of very many corrections in their list',
    setUp: fill,
    send: (context) => takeAll(context, `${CORRECTIONS}?tagname=Spikes&limit=1000&before=3`),
  },
  {
    name: 'the newest point that very many corrections leave',
    setUp: fill,
    send: (context) => takeAll(context, `${DATASET}/data?tagname=Spikes`),
  },
];

export const correctionRequests: readonly ExpensiveRequest[] = rows.map(inSlice);
