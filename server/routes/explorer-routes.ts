// The Explorer page, at `/`, and its files. They come packed from the build; whoever has them is not sent them again.

import { chooseEncoding } from '../http/compression/accept-encoding.ts';
import type { HeaderList } from '../http/contract/http-server.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { ProblemError } from '../problem.ts';
import { htmlHeaders } from './answer/answers.ts';
import { nameOf } from './request/path-names.ts';
import type { PageFile } from './service/explorer-files.ts';
import type { Service } from './service/service.ts';

const PAGE_NAME = 'index.html';

/** Everything comes from this server, in files: no script, style or address from anywhere else is taken. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The names of the files hold a hash of what is in them; the page names them, and so has to be looked at each time. */
const FILE_CACHING = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;
const PAGE_CACHING = ['Cache-Control', 'no-cache'] as const;

/** Said where `send` cannot: it packs nothing that is packed already. */
const VARY = ['Vary', 'Accept-Encoding'] as const;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Varve</title>
</head>
<body>
<h1>Varve</h1>
<p>The server runs; its Explorer page is not built. <code>npm start</code> builds it, and so does
<code>node scripts/build-explorer.mjs</code> before the next start.</p>
<p><a href="/api/help">The API and its documentation</a> work without it.</p>
</body>
</html>
`;

export function explorerRoutes({ explorer }: Service): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/',
      handle(call) {
        const page = explorer?.get(PAGE_NAME);
        if (page === undefined) call.response.send(200, htmlHeaders(POLICY), NOT_BUILT);
        else sendFile(call, page, [...htmlHeaders(POLICY), PAGE_CACHING]);
      },
    },
    {
      method: 'GET',
      pattern: '/explorer/{file}',
      handle(call) {
        const name = nameOf(call, 'file');
        const file = name === PAGE_NAME ? undefined : explorer?.get(name);
        if (file === undefined) throw new ProblemError(404, `There is nothing at ${call.request.path}.`);
        sendFile(call, file, [['Content-Type', file.mediaType], FILE_CACHING]);
      },
    },
  ];
}

function sendFile({ request, response }: RouteContext, file: PageFile, headers: HeaderList): void {
  const common: HeaderList = [...headers, ['ETag', file.etag]];
  if (isKnown(request.header('if-none-match'), file.etag)) {
    response.send(304, [...common, VARY]);
    return;
  }
  const encoding = chooseEncoding(request.header('accept-encoding'), [...file.packed.keys()]);
  const packed = encoding === undefined ? undefined : file.packed.get(encoding);
  if (encoding === undefined || packed === undefined) response.send(200, common, file.plain);
  else response.send(200, [...common, VARY, ['Content-Encoding', encoding]], packed);
}

/** Weak comparison (RFC 9110, 13.1.2): a cache in between may have marked the tag as weak. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
