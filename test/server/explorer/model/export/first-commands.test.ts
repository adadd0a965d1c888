import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exampleDataset,
  formatImport,
  formatSimulate,
  INSTALL_WAYS,
} from '../../../../../server/explorer/model/export/first-commands.ts';
import { parseArguments } from '../../../../../simulator/arguments.ts';

const target = { origin: 'http://127.0.0.1:4511', dataset: 'Line1', hasToken: true };

test('the simulator takes the flags of each way of installing, and gets the token by its variable', () => {
  for (const way of INSTALL_WAYS) {
    const text = formatSimulate(way, target);
    assert.ok(text.includes('SIMULATOR_TOKEN="$VARVE_TOKEN" '), text);
    const words = text.slice(text.indexOf('--config')).replaceAll("'", '').replace('$(npm root -g)', 'root').split(' ');
    const taken = parseArguments(words, {});
    assert.ok(taken !== 'help' && taken.dataset === 'Line1' && taken.mode === 'live', text);
    assert.equal(taken.url.origin, target.origin);
  }
});

test('the import of each way of installing runs the same program as its simulator, and sends the token', () => {
  for (const way of INSTALL_WAYS) {
    const text = formatImport(way, target);
    assert.ok(text.includes(`${way.program} import `) && text.includes('VARVE_TOKEN="$VARVE_TOKEN" '), text);
    assert.ok(text.includes(" --dataset 'Line1'") || text.includes(' --dataset Line1'), text);
    assert.equal(text.includes(target.origin), way.isContainer !== true, text);
  }
});

test('the dataset of the commands is one that the token may make', () => {
  assert.equal(exampleDataset(['*'], 'First'), 'First');
  assert.equal(exampleDataset(['Line*', 'Hall'], 'First'), 'Line1');
  assert.equal(exampleDataset(['Hall'], 'First'), 'Hall');
});
