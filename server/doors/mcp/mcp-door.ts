// The door for language models: the Model Context Protocol at /mcp, as its streamable HTTP transport has it, without
// sessions: each POST is answered as JSON, and there is no stream to open with GET. Docs: docs/mcp.md.

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { readJsonBody } from '../../api/validation/json-body.ts';
import type { ProblemForm } from '../../http/contract/http-server.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { loadPart, MissingPackage } from '../../process/optional-part.ts';
import { sendJson } from '../../routes/answer/answers.ts';
import { sendItems } from '../../routes/answer/send-items.ts';
import { datasetRoutes } from '../../routes/dataset-routes.ts';
import { readRoutes } from '../../routes/read/read-routes.ts';
import { statisticsRoutes } from '../../routes/read/statistics-routes.ts';
import type { Service } from '../../routes/service/service.ts';
import { writeRoutes } from '../../routes/write/write-routes.ts';
import type { Door } from '../door.ts';
import { InnerRoutes } from './inner-call.ts';

const PATTERN = '/mcp';
const MAX_BODY_BYTES = 2 ** 20;
/** Messages of one body, in versions of the protocol that have several. */
const MOST_MESSAGES = 20;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

export const MCP_DOOR: Door = {
  name: 'mcp',
  problemForm: { prefix: PATTERN, render: renderProblem },
  open(service) {
    const routes = new InnerRoutes([
      ...datasetRoutes(service),
      ...readRoutes(service),
      ...statisticsRoutes(service),
      ...writeRoutes(service),
    ]);
    return { routes: [{ method: 'POST', pattern: PATTERN, handle: (call) => exchange(service, routes, call) }] };
  },
};

async function exchange(service: Service, routes: InnerRoutes, outer: RouteContext): Promise<void> {
  const { request, response } = outer;
  const body = await readJsonBody(request, Math.min(MAX_BODY_BYTES, service.maxBodyBytes), 'exact');
  const { createMcpServer, PostTransport, sdk } = await loadParts();
  const version = request.header('mcp-protocol-version');
  if (version !== undefined && !sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw new ProblemError(
      400,
      `Got protocol version '${version.slice(0, 50)}'; want one of ${sdk.SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
    );
  const messages = parseMessages(body, (one) => {
    const parsed = sdk.specTypeSchemas.JSONRPCMessage['~standard'].validate(one);
    return 'value' in parsed ? parsed.value : undefined;
  });
  const failures: unknown[] = [];
  const answers = await new PostTransport().answer(createMcpServer({ service, routes, outer, failures }), messages);
  if (failures.length > 0) throw failures[0];
  if (answers.length === 0) response.send(202, []);
  else if (Array.isArray(body)) await sendItems(response, answers, (answer) => answer);
  else sendJson(response, 200, answers[0]);
}

async function loadParts() {
  try {
    const [{ createMcpServer }, { PostTransport }, sdk] = await loadPart('The door /mcp', () =>
      Promise.all([import('./mcp-server.ts'), import('./post-transport.ts'), import('@modelcontextprotocol/server')]),
    );
    return { createMcpServer, PostTransport, sdk };
  } catch (error) {
    throw error instanceof MissingPackage ? new ProblemError(501, error.message, { cause: error }) : error;
  }
}

/** Undefined for what is none. */
type Parse = (one: unknown) => JSONRPCMessage | undefined;

function parseMessages(body: unknown, parse: Parse): JSONRPCMessage[] {
  const given = Array.isArray(body) ? body : [body];
  if (given.length === 0 || given.length > MOST_MESSAGES)
    throw new ProblemError(400, `Got ${given.length} messages; want 1 to ${MOST_MESSAGES}.`);
  const messages = given.map((one) => {
    const parsed = parse(one);
    if (parsed !== undefined) return parsed;
    throw new ProblemError(400, 'Got something else than a JSON-RPC 2.0 message.');
  });
  const ids = messages.flatMap((message) => ('id' in message && message.id !== undefined ? [message.id] : []));
  if (new Set(ids).size < ids.length) throw new ProblemError(400, 'Two messages have the same id.');
  return messages;
}

/** A JSON-RPC error without an id, as the transport has it for what is no message. */
function renderProblem(problem: ProblemError): ReturnType<ProblemForm['render']> {
  const error = { code: codeOf(problem), message: problem.message };
  const body = JSON.stringify({ jsonrpc: '2.0', error, id: null });
  return { status: problem.status, headers: [['Content-Type', 'application/json'], ...problem.headers], body };
}

function codeOf({ key, status }: ProblemError): number {
  if (status >= 500) return INTERNAL_ERROR;
  return key === 'Error.BadJson' ? PARSE_ERROR : INVALID_REQUEST;
}
