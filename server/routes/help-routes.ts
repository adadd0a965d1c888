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
const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: '/api/v1.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Varve: API</title>
<link rel="stylesheet" href="/api/help/swagger-ui.css">
<link rel="icon" type="image/png" sizes="32x32" href="/api/help/favicon-32x32.png">
<link rel="icon" type="image/png" sizes="16x16" href="/api/help/favicon-16x16.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/help/swagger-ui-bundle.js"></script>
<script src="/api/help/start.js"></script>
</body>
</html>
`;

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
  if (file === 'start.js') {
    call.response.send(200, [['Content-Type', 'text/javascript'], ...FILE_HEADERS], START_SCRIPT);
    return;
  }
  const type = SWAGGER_FILES.get(file);
  if (type === undefined) throw new ProblemError(404, `There is nothing at ${call.request.path}.`);
  call.response.send(200, [['Content-Type', type], ...FILE_HEADERS], await readFile(join(swaggerFolder, file)));
}
