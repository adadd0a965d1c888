// The container's health: exits 0 when the server on this machine answers that it is alive. With TLS the certificate is
// for the names that others call the server by, so it is not checked here.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

const LIMIT_MS = 4_000;
const { VARVE_PORT = '4511', VARVE_TLS_CERT } = process.env;
const request = VARVE_TLS_CERT ? requestHttps : requestHttp;

const asked = request(
  { host: '127.0.0.1', port: VARVE_PORT, path: '/health', timeout: LIMIT_MS, rejectUnauthorized: false },
  (answer) => {
    answer.resume();
    process.exitCode = answer.statusCode === 200 ? 0 : 1;
  },
);
asked.on('timeout', () => asked.destroy(new Error(`no answer within ${LIMIT_MS} ms`)));
asked.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
asked.end();
