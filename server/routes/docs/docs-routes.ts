// The documentation of this version as pages, for whoever has the address of a server and nothing else.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { htmlHeaders } from '../answer/answers.ts';
import { nameOf } from '../request/path-names.ts';
import { findDocsFolder, listPages, readImage, readPage } from './docs-folder.ts';
import { DOCS_STYLE, type DocsPage, docsHtml } from './docs-page.ts';
import { renderMarkdown, titleOf } from './render-markdown.ts';

const STYLE_NAME = 'style.css';
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** They only change with the program. */
const CACHING = ['Cache-Control', 'public, max-age=3600'] as const;

export function docsRoutes(): Route[] {
  const folder = findDocsFolder();
  const rendered = new Map<string, string>();
  let pages: Promise<readonly DocsPage[]> | undefined;
  const allPages = (): Promise<readonly DocsPage[]> => {
    pages ??= folder === undefined ? Promise.resolve([]) : readTitles(folder);
    return pages;
  };

  const sendPage = async (call: RouteContext): Promise<void> => {
    const name = nameOf(call, 'page').replace(/\.md$/, '');
    if (name === STYLE_NAME) return call.response.send(200, [['Content-Type', 'text/css'], CACHING], DOCS_STYLE);
    const all = await allPages();
    const shown = all.find((page) => page.name === name);
    const text = shown === undefined || folder === undefined ? undefined : await readPage(folder, name);
    if (text === undefined) throw nothingAt(call, folder);
    const html = rendered.get(name) ?? docsHtml(all, shown, await renderMarkdown(text));
    rendered.set(name, html);
    call.response.send(200, [...htmlHeaders(POLICY), CACHING], html);
  };

  return [
    {
      method: 'GET',
      pattern: '/docs',
      async handle(call) {
        if (folder === undefined) throw nothingAt(call, folder);
        call.response.send(200, [...htmlHeaders(POLICY), CACHING], docsHtml(await allPages(), undefined, START));
      },
    },
    { method: 'GET', pattern: '/docs/{page}', handle: sendPage },
    {
      method: 'GET',
      pattern: '/docs/images/{file}',
      async handle(call) {
        const image = folder === undefined ? undefined : await readImage(folder, nameOf(call, 'file'));
        if (image === undefined) throw nothingAt(call, folder);
        call.response.send(200, [['Content-Type', 'image/png'], CACHING], image);
      },
    },
  ];
}

const START = `<h1>Documentation of Varve</h1>
<p>Of the version that runs here. <a href="/docs/five-minutes">Five minutes</a> lead from the start to a first curve,
<a href="/docs/explorer">the Explorer</a> is the page at <code>/</code>, <a href="/docs/api">the API</a> has everything that a
program can ask for, and <a href="/docs/operations">Operations</a> is for whoever runs the server.</p>`;

async function readTitles(folder: string): Promise<readonly DocsPage[]> {
  const names = await listPages(folder);
  return Promise.all(names.map(async (name) => ({ name, title: titleOf((await readPage(folder, name)) ?? '') })));
}

function nothingAt({ request }: RouteContext, folder: string | undefined): ProblemError {
  if (folder !== undefined) return new ProblemError(404, `There is nothing at ${request.path}.`);
  return new ProblemError(404, 'The documentation is not installed with this server.');
}
