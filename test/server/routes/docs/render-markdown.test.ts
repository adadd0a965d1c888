// Pages of the documentation as HTML, and that every link within the documentation leads somewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDocsFolder, listPages, readImage, readPage } from '../../../../server/routes/docs/docs-folder.ts';
import { headingId, renderMarkdown, servedLink, titleOf } from '../../../../server/routes/docs/render-markdown.ts';

test('headings can be linked to, and equal ones are told apart', async () => {
  const html = await renderMarkdown('# A `b` (c)\n\n## Same\n\n## Same\n');
  assert.match(html, /<h1 id="a-b-c">A <code>b<\/code> \(c\)<\/h1>/);
  assert.match(html, /<h2 id="same">Same<\/h2>\s*<h2 id="same-1">Same<\/h2>/);
  assert.equal(headingId('Über 5 min: *a_b*'), 'über-5-min-ab'.replace('ab', 'a_b'));
});

test('links lead to the pages of this server; to what is not served there is none', async () => {
  assert.equal(servedLink('api.md#tags'), '/docs/api#tags');
  assert.equal(servedLink('../examples/README.md'), undefined);
  assert.equal(servedLink('javascript:alert(1)'), undefined);
  assert.equal(await renderMarkdown('[a](../x.md) [b](api.md)'), '<p>a <a href="/docs/api">b</a></p>\n');
});

test('markup within a page is text', async () => {
  assert.equal(
    await renderMarkdown('a <script>x</script> `<b>`'),
    '<p>a &#60;script&#62;x&#60;/script&#62; <code>&lt;b&gt;</code></p>\n',
  );
  assert.match(await renderMarkdown('```html\n<i>&\n```'), /<code>&#60;i&#62;&#38;<\/code>/);
  assert.match(await renderMarkdown('| a |\n|---|\n| `<b>` |'), /<td><code>&lt;b&gt;<\/code><\/td>/);
});

test('all pages have a title, and their links lead to pages and headings that are there', async () => {
  const folder = findDocsFolder() ?? '';
  const names = await listPages(folder);
  assert.ok(names.length > 20, names.join());
  const pages = new Map<string, string>();
  for (const name of names) {
    const text = (await readPage(folder, name)) ?? '';
    assert.notEqual(titleOf(text), 'Varve', name);
    pages.set(name, await renderMarkdown(text));
  }
  const broken: string[] = [];
  for (const [name, html] of pages) {
    for (const [, href = ''] of html.matchAll(/href="((?:\/docs\/|#)[^"]*)"/g)) {
      const [, page = name, place] = /^(?:\/docs\/([^#]*))?(?:#(.*))?$/.exec(href) ?? [];
      const found = pages.get(page === '' ? name : page);
      if (found === undefined || (place !== undefined && !found.includes(`id="${place}"`)))
        broken.push(`${name}: ${href}`);
    }
    for (const [, image = ''] of html.matchAll(/src="\/docs\/images\/([^"]*)"/g))
      if ((await readImage(folder, image)) === undefined) broken.push(`${name}: ${image}`);
  }
  assert.deepEqual(broken, []);
});

test('nothing but pages and pictures is read', async () => {
  const folder = findDocsFolder() ?? '';
  for (const name of ['../README', '..%2fREADME', 'images', '', 'no-such-page', 'api\0'])
    assert.equal(await readPage(folder, name), undefined, name);
  assert.equal(await readImage(folder, '../api.md'), undefined);
});
