// The interactive documentation: swagger-ui from disk, working without any other host, and the OpenAPI description.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildOpenApi } from '../api/openapi/document.ts';
import type { HeaderList } from '../http/contract/http-server.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { ProblemError } from '../problem.ts';
import { VERSION } from '../version.ts';
import { htmlHeaders, JSON_HEADER } from './answer/answers.ts';
import { nameOf } from './request/path-names.ts';
import type { Service } from './service/service.ts';

const swaggerFolder = dirname(createRequire(import.meta.url).resolve('#swagger-ui/swagger-ui.css'));

/** The files of swagger-ui that the page uses, with their media types; no other file of the folder is served. */
const SWAGGER_FILES = new Map([
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['favicon-16x16.png', 'image/png'],
  ['favicon-32x32.png', 'image/png'],
]);

/** A file of its own, because the policy of the page refuses scripts inside of it. */
const START_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
// Within a button nothing else may take the focus, and a choice needs a name.
const mend = () => {
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
};
new MutationObserver(mend).observe(document.querySelector('#swagger-ui'), { childList: true, subtree: true });
window.ui = SwaggerUIBundle({
  url: '/api/v1.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** What swagger-ui has too pale to be read by everybody, in both of its modes. */
const PAGE_STYLE = `.varve-links { display: flex; gap: 20px; max-width: 1460px; margin: 0 auto; padding: 12px 20px 0; font: 15px sans-serif; }
.varve-links a { color: #0b5c76; }
.swagger-ui .opblock .opblock-summary-method { background: #59616d; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5fad; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #19704a; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5200; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .opblock.opblock-head .opblock-summary-method { background: #6a1fb3; }
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method,
html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #59616d; color: #ffffff; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #59616d; }
html.dark-mode .swagger-ui .json-schema-2020-12-expand-deep-button { color: #b9c1c9; }
.swagger-ui .info .title small { background: #59616d; }
.swagger-ui .info .title small.version-stamp { background: #47650a; }
.swagger-ui .info a, .swagger-ui .info .url, .swagger-ui a.link { color: #0b5c76; }
.swagger-ui .btn.authorize { border-color: #19704a; color: #19704a; }
.swagger-ui .btn.authorize svg { fill: #19704a; }
html.dark-mode { color-scheme: dark; }
html.dark-mode .varve-links a, html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .info .url,
html.dark-mode .swagger-ui a.link { color: #8ecbe2; }
html.dark-mode .swagger-ui .btn.authorize { border-color: #7fd6a8; color: #7fd6a8; }
html.dark-mode .swagger-ui .btn.authorize svg { fill: #7fd6a8; }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Varve: API</title>
<link rel="stylesheet" href="/api/help/swagger-ui.css">
<link rel="stylesheet" href="/api/help/page.css">
<link rel="icon" type="image/png" sizes="32x32" href="/api/help/favicon-32x32.png">
<link rel="icon" type="image/png" sizes="16x16" href="/api/help/favicon-16x16.png">
</head>
<body>
<nav class="varve-links" aria-label="Varve"><a href="/">Explorer</a> <a href="/docs">Documentation</a> <a href="/docs/api">The API in words</a></nav>
<div id="swagger-ui"></div>
<script src="/api/help/swagger-ui-bundle.js"></script>
<script src="/api/help/start.js"></script>
</body>
</html>
`;

const OWN_FILES = new Map([
  ['start.js', { type: 'text/javascript', text: START_SCRIPT }],
  ['page.css', { type: 'text/css', text: PAGE_STYLE }],
]);

/** swagger-ui puts styles and small pictures into its page; scripts and everything else come from here only. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The files only change with the program. */
const FILE_HEADERS: HeaderList = [['Cache-Control', 'public, max-age=3600']];

export function helpRoutes({ style }: Service): Route[] {
  let openApi: string | undefined;
  return [
    {
      method: 'GET',
      pattern: '/api/help',
      handle: sendPage,
    },
    { method: 'GET', pattern: '/api/help/{file}', handle: sendFile },
    {
      method: 'GET',
      pattern: '/api/v1.json',
      handle({ response }) {
        openApi ??= JSON.stringify(buildOpenApi(VERSION, style.mode));
        response.send(200, [JSON_HEADER], openApi);
      },
    },
  ];
}

function sendPage({ response }: RouteContext): void {
  response.send(200, htmlHeaders(POLICY), PAGE);
}

async function sendFile(call: RouteContext): Promise<void> {
  const file = nameOf(call, 'file');
  // Links to the reference product's documentation have this name.
  if (file === 'index.html') return sendPage(call);
  const own = OWN_FILES.get(file);
  if (own !== undefined) {
    call.response.send(200, [['Content-Type', own.type], ...FILE_HEADERS], own.text);
    return;
  }
  const type = SWAGGER_FILES.get(file);
  if (type === undefined) throw new ProblemError(404, `There is nothing at ${call.request.path}.`);
  call.response.send(200, [['Content-Type', type], ...FILE_HEADERS], await readFile(join(swaggerFolder, file)));
}
