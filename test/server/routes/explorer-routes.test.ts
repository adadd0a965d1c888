// The Explorer page as the server hands it out, over both transports.

import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildExplorer } from '../../support/built-explorer.ts';
import { ServerProcess, type Transport } from '../../support/server-process.ts';

const MOST_BYTES = 100_000;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });
}

/** The files that the page names. */
function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="(\/explorer\/[^"]+)"/g)].map(([, path = '']) => path);
}

before(buildExplorer);

for (const transport of ['uws', 'node'] satisfies Transport[]) {
  describe(`the Explorer page over ${transport}`, () => {
    it('all of it weighs less than 100 KB on the wire, and comes from here', async (context) => {
      const server = await ServerProcess.start({ transport });
      context.after(() => server.stop());
      const page = await ask(`${server.url}/`);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.body.toString(), /https?:\/\//);
      const files = filesOf(page.body.toString());
      assert.ok(files.length >= 3, files.join());
      let sizeBytes = 0;
      for (const path of ['/', ...files]) {
        const packed = await ask(server.url + path, { 'Accept-Encoding': 'gzip' });
        const plain = await ask(server.url + path);
        assert.equal(packed.headers['content-encoding'], 'gzip', path);
        assert.equal(packed.headers.vary, 'Accept-Encoding');
        assert.deepEqual(gunzipSync(packed.body), plain.body);
        const smaller = await ask(server.url + path, { 'Accept-Encoding': 'gzip, br' });
        assert.deepEqual(brotliDecompressSync(smaller.body), plain.body);
        sizeBytes += packed.body.length;
      }
      assert.ok(sizeBytes < MOST_BYTES, `${sizeBytes} bytes`);
    });

    it('files stay in the browser for ever, the page is asked for again and not sent twice', async (context) => {
      const server = await ServerProcess.start({ transport });
      context.after(() => server.stop());
      const page = await ask(`${server.url}/`);
      assert.equal(page.headers['cache-control'], 'no-cache');
      const [file = ''] = filesOf(page.body.toString());
      const script = await ask(server.url + file);
      assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
      for (const [path, { headers }] of [
        ['/', page],
        [file, script],
      ] as const) {
        const etag = headers.etag ?? '';
        assert.match(etag, /^"[\w-]{22}"$/);
        for (const known of [etag, `"other", W/${etag}`, '*']) {
          const again = await ask(server.url + path, { 'If-None-Match': known });
          assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
        }
        assert.equal((await ask(server.url + path, { 'If-None-Match': '"other"' })).status, 200);
      }
    });

    it('the policy of the page takes scripts and styles from files of this server only', async (context) => {
      const server = await ServerProcess.start({ transport });
      context.after(() => server.stop());
      const page = await ask(`${server.url}/`);
      const policy = String(page.headers['content-security-policy']);
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.doesNotMatch(page.body.toString(), /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/);
    });

    it('nothing else of the folder is served', async (context) => {
      const server = await ServerProcess.start({ transport });
      context.after(() => server.stop());
      for (const path of ['index.html', '.sources-hash', '..%2Fmain.tsx', 'index.js', '__proto__']) {
        assert.equal((await ask(`${server.url}/explorer/${path}`)).status, 404, path);
      }
    });
  });
}
