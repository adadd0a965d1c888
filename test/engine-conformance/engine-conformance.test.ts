// Both implementations of Engine against the same cases. What one over copies does not do is named here: a method that is new
// has to be put into one of the two lists.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, EngineError } from '../../engine/index.ts';
import { whyNoChdb } from '../support/clickhouse/chdb-package.ts';
import { writeNumbers } from '../support/engine-points.ts';
import { CASES, refusedByCopies } from './engine-cases.ts';
import { type EngineUnderTest, openCentre, openLocal } from './engine-under-test.ts';

/** How an engine over copies does what the interface has. */
const AT_A_CENTRE: Readonly<Record<keyof Engine, string>> = {
  readiness: 'the same; its datasets are always in order',
  datasets: 'the same',
  dataset: 'the same',
  hasDataset: 'the same',
  tags: 'the same',
  tag: 'the same',
  read: 'the same',
  statistics: 'the same',
  watch: 'the same, by asking each second; without points that came and were cut between two looks',
  correction: 'the same',
  corrections: 'the same',
  lookAtTags: 'the same',
  stats: 'names, tags and bytes; what only files have is 0',
  announceClose: 'does nothing: no maintenance runs',
  close: 'the same',
  purge: 'does nothing: what is kept is decided at the centre',
  lookup: 'finds tags of users by name alone: nobody writes',
  annotations: 'none: they are not copied',
  annotation: 'ANNOTATION_NOT_FOUND',
  createDataset: 'CONFLICT',
  updateDataset: 'CONFLICT',
  deleteDataset: 'CONFLICT',
  forgetDeletion: 'CONFLICT',
  defineTags: 'CONFLICT',
  renameTag: 'CONFLICT',
  deleteTags: 'CONFLICT',
  append: 'CONFLICT',
  deletePoints: 'CONFLICT',
  correct: 'CONFLICT',
  undoCorrection: 'CONFLICT',
  postStatus: 'CONFLICT',
  createAnnotation: 'CONFLICT',
  changeAnnotation: 'CONFLICT',
  deleteAnnotation: 'CONFLICT',
  follow: 'CONFLICT: a copy is not copied on',
};

const ENGINES = { 'where points are written': openLocal, 'over the copies of a centre': openCentre };

for (const [name, open] of Object.entries(ENGINES))
  describe(`an engine ${name}`, { skip: open === openCentre && whyNoChdb() }, () => {
    let engines: EngineUnderTest;
    before(async () => {
      engines = await open();
    });
    after(() => engines.stop());
    for (const each of CASES) test(each.name, () => each.run(engines));
    if (open === openCentre) test('refuses what changes something, and names the edge', () => checkRefused(engines));
  });

async function checkRefused({ writer, reader, settle }: EngineUnderTest): Promise<void> {
  await writeNumbers(writer, 'copied', { A: [{ ms: 1e12, value: 1 }] });
  await settle('copied');
  const asked = refusedByCopies(reader, 'copied');
  // All of the list but the one that has no dataset to name an edge of.
  const named = Object.values(AT_A_CENTRE).filter((how) => how.startsWith('CONFLICT'));
  assert.equal(asked.length, named.length - 1);
  for (const ask of asked)
    await assert.rejects(ask, (error: unknown) => {
      assert.ok(error instanceof EngineError && error.code === 'CONFLICT', String(error));
      return error.message.includes('http://edge');
    });
  await assert.rejects(reader.createDataset({ name: 'new', purgeAgeDays: 0, purgeSizeGb: 0 }), /made where/);
  const names = reader.lookup('copied');
  assert.deepEqual([names.find('A')?.name, names.find('B'), names.find('Second')], ['A', undefined, undefined]);
  assert.equal(reader.lookup('none').find('A'), undefined);
  assert.deepEqual(reader.annotations('copied'), []);
  assert.throws(() => reader.annotation('copied', 1), /stay at the edge/);
}
