// The operations on the server itself: whether it is up, and a page to begin with.

import type { DatasetInfo } from '../../engine/index.ts';
import type { Route } from '../http/router.ts';
import { VERSION } from '../version.ts';
import { sendJson } from './answers.ts';
import { escapeHtml, htmlHeaders } from './html.ts';
import type { Service } from './service.ts';

const POLICY = "default-src 'none'; frame-ancestors 'none'";
const DATASETS_SHOWN = 1000;

export function serverRoutes({ engine }: Service): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/',
      handle: ({ response, caller }) => {
        const visible = engine.datasets().filter(({ name }) => caller.may('read', name));
        response.send(200, htmlHeaders(POLICY), startPage(visible));
      },
    },
    { method: 'GET', pattern: '/health', handle: ({ response }) => sendJson(response, 200, { status: 'alive' }) },
    {
      method: 'GET',
      pattern: '/ready',
      handle: ({ response }) =>
        sendJson(response, 200, { status: 'ready', progress: `serving ${engine.datasets().length} datasets` }),
    },
  ];
}

function startPage(datasets: readonly DatasetInfo[]): string {
  const rows = datasets.slice(0, DATASETS_SHOWN).map(datasetRow);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Varve</title>
</head>
<body>
<h1>Varve ${escapeHtml(VERSION)}</h1>
<p>A time-series historian. <a href="/api/help">The API and its documentation</a>.</p>
<h2>Datasets: ${datasets.length}</h2>
${datasets.length === 0 ? '<p>There are none, or they are shown only to who has a token.</p>' : ''}
<table>
<tr><th>Name</th><th>Tags</th><th>GB</th><th>Oldest point, days</th></tr>
${rows.join('\n')}
</table>
</body>
</html>
`;
}

function datasetRow({ name, tagCount, sizeGb, ageDays }: DatasetInfo): string {
  const href = escapeHtml(`/api/datasets/${encodeURIComponent(name)}/tags`);
  const cells = [tagCount, sizeGb.toFixed(3), ageDays.toFixed(1)].map((cell) => `<td>${cell}</td>`);
  return `<tr><td><a href="${href}">${escapeHtml(name)}</a></td>${cells.join('')}</tr>`;
}
