import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { endTree, processTree, treeCpuSeconds, treeMemoryMb } from '../../bench/support/process-tree.ts';

/** Has a child that works for a while, says its id when it is done, and then both wait for ever. */
const PROGRAM = `
const { spawn } = require('node:child_process');
const work = 'const end = process.cpuUsage().user + 300000; while (process.cpuUsage().user < end); console.log(process.pid); setInterval(() => {}, 1e6)';
process.on('SIGTERM', () => {});
spawn(process.execPath, ['-e', work], { stdio: ['ignore', 'inherit', 'inherit'] });
setInterval(() => {}, 1e6);
`;

test('a tree is measured with its children, and ended whole though its first refuses', {
  skip: process.platform !== 'linux',
}, async () => {
  const parent = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = parent.pid as number;
  const ended = once(parent, 'exit');
  try {
    const [data] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(data.toString());
    assert.deepEqual(processTree(pid), [pid, child]);
    assert.ok(treeCpuSeconds(pid) >= 0.3);
    assert.ok(treeMemoryMb(pid) > treeMemoryMb(child) && treeMemoryMb(child) > 1);
    endTree(pid, 'SIGTERM', 200);
    await ended;
    assert.equal(parent.signalCode, 'SIGKILL');
    // What is gone has no memory.
    assert.equal(treeMemoryMb(child), 0);
  } finally {
    parent.kill('SIGKILL');
  }
});
