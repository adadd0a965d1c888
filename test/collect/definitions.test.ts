import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postDefinitions } from '../../collect/definitions.ts';
import { RefusedError } from '../../forward/errors.ts';
import type { TagObject } from '../../forward/historian-client.ts';

const TAGS: readonly TagObject[] = Array.from({ length: 2500 }, (_, index) => ({ n: `tag ${index}` }));

test('a definition that is refused keeps back no other one, and is told', async () => {
  const taken = new Set<string>();
  const log: string[] = [];
  let requests = 0;
  const client = {
    postTags: async (tags: readonly TagObject[]) => {
      requests++;
      if (tags.some(({ n }) => n === 'tag 17')) throw new RefusedError(400, 'its unit is none');
      for (const { n } of tags) taken.add(n);
    },
  };
  await postDefinitions(client, TAGS, (line) => log.push(line));
  assert.equal(taken.size, TAGS.length - 1);
  assert.ok(requests < 40);
  assert.deepEqual(log, [
    'tag 17: its unit is none',
    '1 of 2500 tags stay as they are: the historian refused their definitions',
  ]);
});

test('a historian that refuses every definition is not asked for each, and one that lets nobody write is no refusal', async () => {
  let requests = 0;
  const refusing = (status: number) => ({
    postTags: async () => {
      requests++;
      throw new RefusedError(status, 'no');
    },
  });
  await postDefinitions(refusing(409), TAGS, () => undefined);
  assert.ok(requests < 200, `${requests} requests`);
  await assert.rejects(
    postDefinitions(refusing(403), TAGS, () => undefined),
    RefusedError,
  );
});
