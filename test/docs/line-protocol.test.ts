// docs/line-protocol.md: its commands give what stands below them.

import { test } from 'node:test';
import { lacksCurl, readPage, tryCommands } from './page-commands.ts';

test('the first commands of the page give the answers that stand below them', { skip: lacksCurl }, () =>
  tryCommands(readPage('line-protocol.md'), 2),
);
