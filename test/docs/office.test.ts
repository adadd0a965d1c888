// docs/office.md: its commands give what stands below them.

import { test } from 'node:test';
import { lacksCurl, readPage, tryCommands } from './page-commands.ts';

test('each command of the page gives the answer that stands below it', { skip: lacksCurl }, () =>
  tryCommands(readPage('office.md'), 2),
);
