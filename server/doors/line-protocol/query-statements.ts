// The two statements of InfluxQL that clients send around their writes. Nothing else is answered: data is read through the
// API.

import type { HttpRequest } from '../../http/contract/http-server.ts';
import { parseQuery } from '../../http/routing/query.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { sendJson } from '../../routes/answer/answers.ts';
import type { Service } from '../../routes/service/service.ts';
import { VERSION_HEADERS } from './influx-answers.ts';

/** With options behind the name, which are not looked at. No two parts that take spaces meet, so that the time is linear. */
const CREATE_DATABASE =
  /^\s*CREATE\s+DATABASE\s+(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_][A-Za-z0-9_]*))(?:\s+WITH\s[^;"]*|\s*)(?:;\s*)?$/i;
const SHOW_DATABASES = /^\s*SHOW\s+DATABASES\s*(?:;\s*)?$/i;
const MAX_STATEMENT_BYTES = 4_096;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

export async function answerQuery({ engine }: Service, { request, response, caller }: RouteContext): Promise<void> {
  const statement = await readStatement(request);
  const created = CREATE_DATABASE.exec(statement);
  if (created !== null) {
    // Nothing is made here: the first write makes the dataset, by the rules of every write. It must be able to.
    const name = created[1]?.replace(/\\(.)/g, '$1') ?? created[2] ?? '';
    caller.require('write', name);
    if (!engine.hasDataset(name)) await engine.forgetDeletion(name);
    return sendJson(response, 200, { results: [{ statement_id: 0 }] }, VERSION_HEADERS);
  }
  if (!SHOW_DATABASES.test(statement)) {
    throw new ProblemError(
      400,
      'Only CREATE DATABASE and SHOW DATABASES are answered here; read data through the API.',
    );
  }
  const names = engine.datasets().flatMap(({ name }) => (caller.may('read', name) ? [[name]] : []));
  const series = { name: 'databases', columns: ['name'], ...(names.length === 0 ? {} : { values: names }) };
  return sendJson(response, 200, { results: [{ statement_id: 0, series: [series] }] }, VERSION_HEADERS);
}

async function readStatement(request: HttpRequest): Promise<string> {
  const inQuery = parseQuery(request.query).get('q')?.[0];
  if (inQuery === undefined && FORM_TYPE.test(request.header('content-type') ?? '')) {
    const body = Buffer.from(await request.readBody(MAX_STATEMENT_BYTES)).toString('latin1');
    return statementIn(body);
  }
  if (inQuery === undefined || inQuery.length > MAX_STATEMENT_BYTES)
    throw new ProblemError(400, 'missing required parameter "q"');
  return inQuery;
}

function statementIn(form: string): string {
  const statement = parseQuery(form).get('q')?.[0];
  if (statement === undefined) throw new ProblemError(400, 'missing required parameter "q"');
  return statement;
}
