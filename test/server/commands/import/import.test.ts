// `varve import` as its user has it: the command, against a real server.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PointBatch } from '../../../../server/commands/import/point-batch.ts';
import { ImportRefused, PointSender } from '../../../../server/commands/import/point-sender.ts';
import {
  BUILT_PROGRAM,
  projectFolder,
  runServerToEnd,
  ServerProcess,
  temporaryFolder,
} from '../../../support/server-process.ts';

const folder = temporaryFolder();
let server: ServerProcess;
before(async () => {
  server = await ServerProcess.start({ dataFolder: join(folder, 'data') });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const START_MS = Date.UTC(2024, 2, 1);

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function importFile(path: string, dataset: string, ...flags: string[]) {
  return runServerToEnd(['import', path, '--dataset', dataset, '--url', server.url, ...flags]);
}

async function readPoints(dataset: string, tag: string): Promise<{ t: string; v: unknown; q: number }[]> {
  const query = `tagname=${encodeURIComponent(tag)}&start=2024-01-01&end=2025-01-01`;
  const answer = (await (await fetch(`${server.url}/api/datasets/${dataset}/data?${query}`)).json()) as {
    tl: { d: { t: string; v: unknown; q: number }[] }[];
  };
  return answer.tl[0]?.d ?? [];
}

test('a file of several requests is stored whole, and a second time nothing of it', async () => {
  const rows = Array.from(
    { length: 12_000 },
    (_, i) => `${new Date(START_MS + i * 1000).toISOString()};${i / 4};${i % 7}`,
  );
  const path = fileOf('wide.csv', `time;Mill/Temp;Count\n${rows.join('\n')}\n`);
  const first = await importFile(path, 'Wide');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^.*wide\.csv: 24,000 points of 2 tags, without a fault\.$/m);
  assert.match(
    first.stdout,
    /into Wide, 2 tags, in [\d.]+ s: 24,000 written, 0 repeated, 0 late, 0 rejected, 0 expired\.$/,
  );
  const points = await readPoints('Wide', 'Mill/Temp');
  assert.equal(points.length, 12_000);
  assert.deepEqual(points.at(-1), { t: '2024-03-01T03:19:59.000Z', v: 2999.75, q: 192 });
  const second = await importFile(path, 'Wide');
  assert.equal(second.code, 0, second.stderr);
  const [, repeated = '', late = ''] =
    /: 0 written, ([\d,]+) repeated, ([\d,]+) late, 0 rejected, /.exec(second.stdout) ?? [];
  const [repeatedCount, lateCount] = [repeated, late].map((text) => Number(text.replaceAll(',', '')));
  assert.equal((repeatedCount ?? 0) + (lateCount ?? 0), 24_000, second.stdout);
  assert.equal((await readPoints('Wide', 'Mill/Temp')).length, 12_000);
});

test('texts and names come back from the CSV and the JSON lines of the server as they were, whatever white space they have', async () => {
  const texts = ['', '  lead', 'trail  ', ' ', 'tab\t', '\u2028x', 'line1\nline2\r', 'say "hi", ok'];
  const at = (i: number): string => new Date(START_MS + i * 1000).toISOString();
  const tags = ['txt', ' x', 'x'];
  const body = Object.fromEntries(
    tags.map((tag, k) => [tag, texts.map((_, i) => ({ t: at(i), v: texts[(i + k) % texts.length], q: 192 }))]),
  );
  await fetch(`${server.url}/api/datasets/From/data`, { method: 'POST', body: JSON.stringify(body) });
  const range = `${tags.map((tag) => `tagname=${encodeURIComponent(tag)}`).join('&')}&start=${at(0)}&end=${at(60)}`;
  for (const [format, as] of [
    ['rows', 'csv'],
    ['wide', 'csv'],
    ['rows', 'jsonl'],
    ['wide', 'jsonl'],
  ] as const) {
    const file = await (await fetch(`${server.url}/api/datasets/From/data?${range}&format=${format}&as=${as}`)).text();
    const dataset = `${format}-${as}`;
    const { code, stderr } = await importFile(fileOf(dataset, file), dataset);
    assert.equal(code, 0, stderr);
    for (const tag of tags) {
      assert.deepEqual(
        (await readPoints(dataset, tag)).map(({ v }) => v),
        body[tag]?.map(({ v }) => v),
        `${dataset} ${tag}`,
      );
    }
  }
});

test('a faulty file is told by its lines, and nothing of it is sent', async () => {
  const path = fileOf('faulty.csv', 'tag,time,value\nA,2024-03-01,1\nA,2024-03-02,x\nA,soon,1\n');
  const { code, stdout, stderr } = await importFile(path, 'Faulty');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^.*faulty\.csv, line 3: got "x" for A; want a number, as in line 2/m);
  assert.match(stderr, /^.*faulty\.csv, line 4: got the time soon; want ISO 8601/m);
  assert.match(stderr, /^Nothing was sent\. --rejects <file> leaves such rows out/m);
  assert.equal(await (await fetch(`${server.url}/api/datasets/Faulty/exists`)).text(), 'false');
});

test('--check sends nothing', async () => {
  const path = fileOf('checked.csv', 'tag,time,value\nA,2024-03-01,1\n');
  const { code, stdout } = await importFile(path, 'Checked', '--check');
  assert.equal(code, 0);
  assert.match(stdout, /1 points of 1 tags, without a fault/);
  assert.equal(await (await fetch(`${server.url}/api/datasets/Checked/exists`)).text(), 'false');
});

test('what the server refuses is told by the line of the file', async () => {
  const url = `${server.url}/api/datasets/Typed/tags`;
  await fetch(url, { method: 'POST', body: '[{"n":"On/Off","t":"System.Boolean"}]' });
  const path = fileOf('typed.csv', 'tag,time,value\nOther,2024-03-01,7\nOn/Off,2024-03-01,7.5\n');
  const { code, stderr } = await importFile(path, 'Typed');
  assert.equal(code, 1);
  assert.match(stderr, /The server refused lines 2 to 3 with 400: /);
  assert.match(stderr, /^ {2}line 3: got .*; want .*Boolean/m);
});

test('points earlier than what a tag has are counted as late, and it is said what to do', async () => {
  await importFile(fileOf('new.csv', 'tag,time,value\nA,2024-06-01,1\n'), 'Late');
  const { code, stdout, stderr } = await importFile(fileOf('old.csv', 'tag,time,value\nA,2024-03-01,1\n'), 'Late');
  assert.equal(code, 0);
  assert.match(stdout, /: 0 written, 0 repeated, 1 late,/);
  assert.match(stderr, /^Late: earlier than what their tag has already, and left out;/m);
});

test('a file of another system is asked for its zone, sorted and stored, and its faulty rows are listed', async () => {
  const rows = [
    '04.03.2024 06:07;4,5;Good',
    '04.03.2024 06:06;3,5;Bad',
    '04.03.2024 26:06;1;Good',
    '04.03.2024 06:08;x;Good',
  ];
  const path = fileOf('other.csv', `sep=;\r\nZeit;P;P quality\r\n${rows.join('\r\n')}\r\n`);
  const unclear = await importFile(path, 'Other');
  assert.equal(unclear.code, 1);
  assert.match(unclear.stderr, /do not say in which time zone they are\. Say it with --tz <zone>/);
  const shown = await importFile(path, 'Other', '--tz', 'Europe/Berlin', '--preview');
  assert.match(shown.stdout, /^ {2}P {2}2024-03-04T05:07:00\.000Z {2}4\.5 {2}192$/m);
  const faulty = await importFile(path, 'Other', '--tz', 'Europe/Berlin');
  assert.equal(faulty.code, 1);
  assert.equal(await (await fetch(`${server.url}/api/datasets/Other/exists`)).text(), 'false');
  const rejects = join(folder, 'rejects.txt');
  const { code, stderr } = await importFile(path, 'Other', '--tz', 'Europe/Berlin', '--rejects', rejects);
  assert.equal(code, 1);
  assert.match(stderr, /^2 rows were left out; they are listed in /m);
  assert.match(
    readFileSync(rejects, 'utf8'),
    /other\.csv, line 5: got the time .*\n.*other\.csv, line 6: got "x" for P; want a number/,
  );
  assert.deepEqual(await readPoints('Other', 'P'), [
    { t: '2024-03-04T05:06:00.000Z', v: 3.5, q: 0 },
    { t: '2024-03-04T05:07:00.000Z', v: 4.5, q: 192 },
  ]);
});

test('standard input is sent up to its first fault', () => {
  const args = [BUILT_PROGRAM, 'import', '-', '--dataset', 'Piped', '--url', server.url];
  const input = 'time,A\n2024-03-01,1\n2024-03-02,2\nnever,3\n';
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: projectFolder, input, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stdout, /^- into Piped, up to line 3, in .*: 2 written,/);
  assert.match(stderr, /^-, line 4: got the time never;/m);
});

test('an import that ended early goes on behind the line that it names, and sends nothing twice', async () => {
  const rows = Array.from({ length: 6000 }, (_, i) => `${new Date(START_MS + i * 1000).toISOString()},${i}`);
  const cut = fileOf('cut.csv', `time,A\n${rows.slice(0, 5500).join('\n')}\nnever,1\n`);
  const text = readFileSync(cut);
  const args = [BUILT_PROGRAM, 'import', '-', '--dataset', 'Again', '--url', server.url];
  const piped = spawnSync(process.execPath, args, { cwd: projectFolder, input: text, encoding: 'utf8' });
  assert.equal(piped.status, 1);
  const [, line = ''] = /With --after-line (\d+) it is not sent again/.exec(piped.stderr) ?? [];
  assert.equal(line, '5501', piped.stderr);
  const whole = fileOf('whole.csv', `time,A\n${rows.join('\n')}\n`);
  const { code, stdout } = await importFile(whole, 'Again', '--after-line', line);
  assert.equal(code, 0);
  assert.match(stdout, /: 500 written, 0 repeated, 0 late,/);
  assert.equal((await readPoints('Again', 'A')).length, 6000);
});

test('wrong words, a missing file and a server that is not there are told as such', async () => {
  const missing = await importFile(join(folder, 'nowhere.csv'), 'X');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^There is no file .*nowhere\.csv\.$/m);
  const unnamed = await runServerToEnd(['import', 'x.csv']);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /^--dataset <name> is missing\. Want varve import/);
  const slip = await runServerToEnd(['import', 'x.csv', '--datset', 'x']);
  assert.match(slip.stderr, /^Unknown flag '--datset'\. Did you mean '--dataset'\?/);
});

/** A server that answers what it is told, one request after the other; the last answer stays. */
async function scripted(answers: readonly { readonly status: number; readonly body: string }[], isSeen?: () => void) {
  const tokens: (string | undefined)[] = [];
  const scriptedServer = createServer((request, response) => {
    request.resume().on('end', () => {
      tokens.push(request.headers.authorization);
      const answer = answers[Math.min(tokens.length, answers.length) - 1];
      isSeen?.();
      if (answer === undefined) return;
      response.writeHead(answer.status).end(answer.body);
    });
  });
  scriptedServer.listen(0, '127.0.0.1');
  await once(scriptedServer, 'listening');
  const url = `http://127.0.0.1:${(scriptedServer.address() as AddressInfo).port}`;
  const close = (): void => {
    scriptedServer.closeAllConnections();
    scriptedServer.close();
  };
  return { url, tokens, close };
}

const RECEIPT = '{"written":1,"ignored":0,"repeated":0,"rejected":0,"expired":0,"tags":{}}';

function batchOfOne(): PointBatch {
  const batch = new PointBatch();
  batch.add({ tag: 'A', time: '2024-03-01T00:00:00.000Z', value: '1', quality: undefined, line: 2 });
  return batch;
}

test('a server that cannot take a request now is asked again, with the token, and told of', async () => {
  const { url, tokens, close } = await scripted([
    { status: 503, body: '' },
    { status: 200, body: RECEIPT },
  ]);
  const said: string[] = [];
  const target = { url: new URL(url), dataset: 'D', token: 'secret' };
  const sender = new PointSender(target, new AbortController().signal, (line) => said.push(line));
  await sender.send(batchOfOne());
  close();
  assert.deepEqual([sender.receipt.written, sender.line], [1, 2]);
  assert.deepEqual(tokens, ['Bearer secret', 'Bearer secret']);
  assert.deepEqual(said, [`${url}: the server answered 503; trying again.`]);
});

test('what will not pass by itself ends the import with the words of the server', async () => {
  const { url, close } = await scripted([{ status: 401, body: '{"detail":"Want a token."}' }]);
  const target = { url: new URL(url), dataset: 'D', token: undefined };
  const sender = new PointSender(target, new AbortController().signal, () => {});
  await assert.rejects(sender.send(batchOfOne()), (error) => {
    assert.ok(error instanceof ImportRefused);
    assert.equal(error.message, 'The server refused lines 2 to 2 with 401: Want a token.');
    return true;
  });
  close();
});

test('Ctrl-C ends it, with what was stored up to then', async () => {
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const { url, close } = await scripted([], () => ask());
  const path = fileOf('stopped.csv', 'tag,time,value\nA,2024-03-01,1\n');
  const args = [BUILT_PROGRAM, 'import', path, '--dataset', 'D', '--url', url];
  const child = spawn(process.execPath, args, { cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    texts.stdout += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    texts.stderr += bytes;
  });
  const ended = once(child, 'close');
  await Promise.race([asked, ended]);
  child.kill('SIGINT');
  const [code] = (await ended) as [number | null];
  close();
  assert.equal(code, 1, texts.stderr);
  assert.match(texts.stdout, /into D, up to line 0, in .*: 0 written/);
  assert.match(texts.stderr, /^Stopped\.$/m);
});

test('a file that is read as Windows-1252 is said to be, unless the flag says it', async () => {
  const path = fileOf('latin.csv', '');
  writeFileSync(path, Buffer.from('time,Kälte\n2024-03-01T00:00:00Z,4\n', 'latin1'));
  const guessed = await importFile(path, 'Latin', '--check');
  assert.equal(guessed.code, 0, guessed.stderr);
  assert.match(guessed.stderr, /not UTF-8, and read as Windows-1252; --encoding/);
  const said = await importFile(path, 'Latin', '--check', '--encoding', 'windows-1252');
  assert.doesNotMatch(said.stderr, /not UTF-8/);
});
