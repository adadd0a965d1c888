import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { View } from '../../../server/views/view.ts';
import { formatViewFile, parseViewFile, ViewFileFault } from '../../../server/views/view-file.ts';

const ID = '4f1d09a2b6c83e57d012';
const view: View = {
  head: {
    id: ID,
    kind: 'trend',
    name: 'Feed "water"\u2028, °C 🙂',
    folder: 'Boilers/North',
    owner: 'Line 4',
    datasets: ['Plant', 'Mill 2'],
    changed: '2026-11-22T14:05:00.000Z',
    revision: 3,
  },
  content: JSON.stringify({ text: ',\n"content":{}}\n', half: '\ud800', 2: [1e-7, -0, null], 1: {} }),
};

/** The file with this line in the place of the first one. */
function withFirstLine(line: string): Buffer {
  const bytes = formatViewFile(view);
  return Buffer.concat([Buffer.from(line), bytes.subarray(bytes.indexOf('\n') + 1)]);
}

test('a view is read as it was written, and its file is one JSON document', () => {
  const bytes = formatViewFile(view);
  assert.deepEqual(parseViewFile(bytes, ID), view);
  const document = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  assert.deepEqual(document.view, view.head);
  assert.deepEqual(document.content, JSON.parse(view.content));
  const { owner: _, ...ownerless } = view.head;
  assert.deepEqual(parseViewFile(formatViewFile({ ...view, head: ownerless }), ID).head, ownerless);
});

test('a file that is cut off anywhere, or has one changed byte, is refused', () => {
  const bytes = formatViewFile(view);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => parseViewFile(bytes.subarray(0, length), ID), ViewFileFault, `cut to ${length} bytes`);
  }
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => parseViewFile(changed, ID), ViewFileFault, `byte ${at} changed`);
  }
  assert.throws(() => parseViewFile(Buffer.concat([bytes, Buffer.from(' ')]), ID), ViewFileFault);
});

test('a refusal says why', () => {
  assert.throws(() => parseViewFile(Buffer.from('{}'), ID), /does not begin as the file of a view/);
  assert.throws(() => parseViewFile(withFirstLine('{"format":2,"crc":1,\n'), ID), /format 2; this program knows 1/);
  assert.throws(() => parseViewFile(withFirstLine('{"format":1,"crc":1,\n'), ID), /fails its checksum/);
  const other = '00000000000000000000';
  assert.throws(() => parseViewFile(formatViewFile(view), other), /it holds the view '4f1d09a2b6c83e57d012'/);
  const strange = { ...view, head: { ...view.head, kind: 'picture' } } as unknown as View;
  assert.throws(() => parseViewFile(formatViewFile(strange), ID), /its lines are not those of a view/);
});
