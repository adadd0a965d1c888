// Finding variables at servers that answer in every way: bounded, and said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientSession } from 'node-opcua-client';
import * as client from 'node-opcua-client';
import type { NodeSelection } from '../../collect/config.ts';
import { findNodes } from '../../collect/opcua/nodes/browse.ts';

interface Child {
  readonly id: string;
  readonly name: string;
  readonly isVariable?: boolean;
}

interface Page {
  readonly children: readonly Child[];
  readonly more?: boolean;
}

async function find(selection: Partial<NodeSelection>, respond: (parent: string, page: number) => Page) {
  let requests = 0;
  const answerOf = ({ children, more }: Page) => ({
    references: children.map(({ id, name, isVariable = true }) => ({
      nodeId: id,
      browseName: { name },
      nodeClass: isVariable ? client.NodeClass.Variable : client.NodeClass.Object,
      typeDefinition: null,
    })),
    continuationPoint: more ? Buffer.from('more') : null,
  });
  const session = {
    browse: async (asked: readonly { nodeId: string }[]) => {
      requests++;
      return asked.map(({ nodeId }) => answerOf(respond(nodeId, 0)));
    },
    browseNext: async () => {
      requests++;
      return answerOf(respond('next', requests));
    },
    read: async (asked: readonly { nodeId: string }[]) =>
      asked.map(({ nodeId }) => ({
        statusCode: nodeId.includes('gone') ? client.StatusCodes.BadNodeIdUnknown : client.StatusCodes.Good,
        value: { value: { name: 'A' } },
      })),
  } as unknown as ClientSession;
  const limits = { read: 2, browse: 50, monitor: 1000, historyRead: 20 };
  const whole = { ids: [], paths: [], name: '{browsePath}', parts: [], ...selection } as unknown as NodeSelection;
  const found = await findNodes({ session, client, limits }, [whole]);
  return { ...found, tags: found.nodes.map(({ tag }) => tag), requests };
}

test('ids are read in parts of what the server lets be asked, and those that are not there are told', async () => {
  const ids = ['ns=1;s=a', 'ns=1;s=gone', 'ns=1;s=b'];
  const { tags, missing, faults } = await find({ ids, name: '{nodeId}' }, () => ({ children: [] }));
  assert.deepEqual([tags, missing], [['ns=1;s=a', 'ns=1;s=b'], ['ns=1;s=gone']]);
  assert.match(faults.join(), /ns=1;s=gone is not there: BadNodeIdUnknown/);
});

test('pages without end, names without end and trees without end are left', async () => {
  const pages = await find({ paths: ['*'] }, (_parent, page) => ({
    children: [{ id: `i=${page}`, name: `${page}` }],
    more: true,
  }));
  assert.ok(pages.requests <= 1001, `${pages.requests} requests`);
  const long = 'x'.repeat(5000);
  const names = await find({ paths: ['*'] }, () => ({
    children: [
      { id: 'i=1', name: long },
      { id: long, name: 'A' },
    ],
  }));
  assert.deepEqual(names.tags, []);
  let next = 0;
  const tree = await find({ paths: ['**/none'] }, () => ({
    children: [{ id: `i=${++next}`, name: 'deeper', isVariable: false }],
  }));
  assert.ok(tree.requests <= 16);
  assert.match(tree.faults.join(), /nothing is at/);
});

test('more variables than can be are told, once the server has given so many', async () => {
  let next = 0;
  const { nodes, faults } = await find({ paths: ['*'] }, () => ({
    children: Array.from({ length: 60_000 }, () => ({ id: `i=${++next}`, name: `${next}` })),
    more: true,
  }));
  assert.ok(nodes.length <= 100_001);
  assert.match(faults.join(), /more than 100000 nodes/);
});

test('parts become tags of their own, and two of one name are told', async () => {
  const parts = [
    { text: '[0]', steps: [{ indexes: [0] }] },
    { text: '.Speed', steps: [{ field: 'Speed' }] },
  ];
  const page = { children: [{ id: 'i=1', name: 'A' }] };
  assert.deepEqual((await find({ paths: ['*'], parts }, () => page)).tags, ['A[0]', 'A.Speed']);
  const same = await find({ paths: ['*'], parts, name: '{browseName}{part}' }, () => ({
    children: [...page.children, { id: 'i=2', name: 'A' }],
  }));
  assert.equal(same.tags.length, 2);
  assert.match(same.faults[0] ?? '', /i=2 would be the tag 'A\[0\]' as i=1 is/);
});
