import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeDatasetFolder, encodeDatasetFolder } from '../../engine/filenames.ts';
import { chooseFolder } from '../../engine/files/dataset-folders.ts';
import { SeededRandom } from '../support/seeded-random.ts';

/** Names that differ in case only, in the ways that matter: letters, devices of Windows, escapes, beyond ASCII. */
const ALIKE = [
  ['CaseX', 'casex', 'CASEX', 'caseX', 'Casex'],
  ['con', 'Con', 'cON', 'CON', 'coN', 'cOn'],
  ['LPT1.a', 'lpt1.a', 'Lpt1.A', 'lPT1.a'],
  ['a', 'A'],
  ['É', 'é', 'É1', 'é1', 'ÉA', 'Éa', 'éA', 'éa'],
  ['K', 'k', '\u212A', 'ß', 'SS', 'ss', 'ẞ'],
  ['%43', '%4a', '%4A', 'c', 'C'],
  ['1', '_', '-'],
];

test('names that differ in case only get folders that differ in more, in whatever order they come; unescaping gives the name back', () => {
  const random = new SeededRandom(1);
  for (let i = 0; i < 500; i++) {
    for (const names of ALIKE) {
      const folders: string[] = ['LOCK'];
      for (const name of random.shuffled(names)) {
        const folder = chooseFolder(name, folders);
        assert.equal(decodeDatasetFolder(folder), name);
        folders.push(folder);
      }
      const folded = folders.map((folder) => folder.toLowerCase());
      assert.equal(new Set(folded).size, folders.length, folders.join(', '));
    }
  }
});

test('the second of two such names has its capitals escaped, or, where it has none, its first letter', () => {
  assert.equal(chooseFolder('CaseX', ['casex']), '%43ase%58');
  assert.equal(chooseFolder('casex', ['CaseX']), '%63asex');
  assert.equal(chooseFolder('1 a', ['1 A']), '1 %61');
  assert.equal(chooseFolder('lock', ['LOCK']), '%6Cock');
});

test('a name that nobody else has keeps its plain folder, as do folders that are there already', () => {
  assert.equal(chooseFolder('CaseX', ['Other']), 'CaseX');
  assert.equal(encodeDatasetFolder('CaseX'), 'CaseX');
  for (const folder of ['CaseX', 'casex', '%43ase%58', '%63asex']) assert.ok(decodeDatasetFolder(folder), folder);
  for (const folder of ['%63ASEX', 'c%61sex', '%43aseX']) assert.equal(decodeDatasetFolder(folder), undefined);
});
