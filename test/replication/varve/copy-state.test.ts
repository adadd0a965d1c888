import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopyState } from '../../../replication/varve/copy-state.ts';
import type { Historian } from '../../../replication/varve/http/historian.ts';
import type { Ledger } from '../../../replication/varve/ledger.ts';

const TAGS = 100_000;

/** A ledger with many tags, each by its name. */
function ledgerOfMany(): Ledger {
  const ledger: Pick<Ledger, 'ids' | 'text'> = {
    *ids() {
      for (let id = 0; id < TAGS; id++) yield id;
    },
    text: (key) => JSON.stringify({ n: key, t: 'System.Double' }),
  };
  return ledger as Ledger;
}

test('others have their turns while the tags of a large copy are read', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const state = await CopyState.open({} as Historian, { name: 'North.Plant', identity: '' }, ledgerOfMany());
  isOver = true;
  assert.deepEqual([state.tag(TAGS - 1)?.name, state.idOf('tag 7')], [`tag ${TAGS - 1}`, 7]);
  assert.ok(turns > 3, `${turns} turns`);
});
