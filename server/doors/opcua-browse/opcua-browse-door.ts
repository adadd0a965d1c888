// The door through which the Explorer looks at a server of OPC UA before it is collected. The server connects to an address that its
// user gives: that takes the role admin, and without tokens a server that only its own machine reaches.

import { readJsonBody } from '../../api/validation/json-body.ts';
import { requireObject } from '../../api/validation/validate.ts';
import type { Caller } from '../../auth/rules/caller.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { sendDone, sendJson } from '../../routes/answer/answers.ts';
import type { Service } from '../../routes/service/service.ts';
import type { Door } from '../door.ts';
import { BrowseSessions, type Trial } from './browse-sessions.ts';

const PATTERN = '/api/sources/opcua';
const MAX_BODY_BYTES = 65_536;
const TEXT = { type: 'string', minLength: 1, maxLength: 4096 };

const TRIAL_SCHEMA = {
  type: 'object',
  properties: {
    endpoint: { ...TEXT, maxLength: 1024 },
    securityPolicy: { enum: ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] },
    securityMode: { enum: ['None', 'Sign', 'SignAndEncrypt'] },
    user: TEXT,
    password: { type: 'string', maxLength: 4096 },
  },
  required: ['endpoint'],
  additionalProperties: false,
};

const LEVEL_SCHEMA = { type: 'object', properties: { node: TEXT }, additionalProperties: false };

export const OPCUA_BROWSE_DOOR: Door = {
  name: 'opcua-browse',
  open(service) {
    const { browsing } = service;
    const sessions = browsing && new BrowseSessions(browsing.certificateFolder);
    return {
      routes: routes(service, sessions),
      close: () => void sessions?.closeAll().catch(() => undefined),
    };
  },
};

function routes(service: Service, sessions: BrowseSessions | undefined): Route[] {
  const ready = (caller: Caller): BrowseSessions => {
    if (caller.rights.access === 'open' && service.browsing?.isOpenToAll === false)
      throw new ProblemError(
        403,
        'Others reach this server, and it has no tokens: anybody could make it connect to any address. Make a token with the role admin first (varve token create).',
      );
    if (!caller.rights.datasets.includes('*'))
      caller.refuse('admin', 'Looking at servers of OPC UA takes the role admin for all datasets.');
    if (sessions === undefined)
      throw new ProblemError(501, 'A server over a centre keeps nothing, and looks at no server of OPC UA.');
    return sessions;
  };
  return [
    {
      method: 'POST',
      pattern: PATTERN,
      async handle({ request, response, caller }) {
        const all = ready(caller);
        const trial = toTrial(await bodyOf(service, request, TRIAL_SCHEMA));
        caller.audit('opcua.browse', { endpoint: trial.endpoint });
        sendJson(response, 200, await all.open(userOf(caller), trial));
      },
    },
    {
      method: 'POST',
      pattern: `${PATTERN}/browse`,
      async handle({ request, response, caller }) {
        const all = ready(caller);
        const { node } = await bodyOf(service, request, LEVEL_SCHEMA);
        sendJson(response, 200, await all.level(userOf(caller), node as string | undefined));
      },
    },
    {
      method: 'DELETE',
      pattern: PATTERN,
      async handle({ response, caller }) {
        await ready(caller).close(userOf(caller));
        sendDone(response, []);
      },
    },
  ];
}

function userOf({ ownerName }: Caller): string {
  return ownerName ?? '';
}

async function bodyOf(service: Service, request: RouteContext['request'], schema: object) {
  const body = await readJsonBody(request, Math.min(MAX_BODY_BYTES, service.maxBodyBytes));
  return requireObject(schema as Parameters<typeof requireObject>[0], body);
}

function toTrial(body: Readonly<Record<string, unknown>>): Trial {
  const { endpoint, securityPolicy = 'None', user, password } = body as Partial<Record<keyof Trial, string>>;
  const { securityMode = securityPolicy === 'None' ? 'None' : 'SignAndEncrypt' } = body as { securityMode?: string };
  if ((securityPolicy === 'None') !== (securityMode === 'None'))
    throw new ProblemError(
      400,
      `Got the mode ${securityMode} with the policy ${securityPolicy}; want None for both or for none.`,
    );
  if (password !== undefined && user === undefined) throw new ProblemError(400, "'password' needs a 'user'.");
  const url = URL.canParse(endpoint ?? '') ? new URL(endpoint ?? '') : undefined;
  if (
    endpoint === undefined ||
    url?.protocol !== 'opc.tcp:' ||
    url.hostname === '' ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new ProblemError(400, 'Want an endpoint such as opc.tcp://plc.example:4840, without a user in it.');
  return { endpoint, securityPolicy, securityMode, user, password };
}
