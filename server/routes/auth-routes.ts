// Clients fetch a token here with an id and a secret, as OAuth 2.0 has it, and learn here of that, and of what the caller
// may do.

import type { TokenIssuer } from '../auth/token-issuer.ts';
import { isBasic, TokenFault } from '../auth/tokens/token-request.ts';
import type { HeaderList } from '../http/contract/http-server.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { ProblemError } from '../problem.ts';
import { sendJson } from './answer/answers.ts';
import { baseUrl } from './request/base-url.ts';
import type { Service } from './service/service.ts';

/** RFC 6749, section 5.1. */
const NOT_STORED: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['Pragma', 'no-cache'],
];
const BASIC_CHALLENGE = ['WWW-Authenticate', 'Basic realm="varve", charset="UTF-8"'] as const;

export function authRoutes({ issuer, ownScheme }: Service): Route[] {
  return [
    { method: 'POST', pattern: '/auth/token', handle: (call) => sendToken(requireIssuer(issuer), call) },
    {
      method: 'GET',
      pattern: '/auth/.well-known/openid-configuration',
      handle({ request, response }) {
        requireIssuer(issuer);
        sendJson(response, 200, discovery(baseUrl(request, ownScheme)), NOT_STORED);
      },
    },
    {
      method: 'GET',
      pattern: '/auth/caller',
      handle: ({ response, caller }) => sendJson(response, 200, caller.rights, NOT_STORED),
    },
  ];
}

function requireIssuer(issuer: TokenIssuer | undefined): TokenIssuer {
  if (issuer?.isOn === true) return issuer;
  const detail = 'Access control is off: nobody needs a token here, and there are no clients.';
  throw new ProblemError(404, `${detail} 'varve token create' turns it on.`);
}

async function sendToken(issuer: TokenIssuer, { request, response }: RouteContext): Promise<void> {
  try {
    const { token, expiresInSeconds } = await issuer.issue(request);
    const answer = { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds };
    sendJson(response, 200, answer, NOT_STORED);
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error;
    const isUnknown = error.code === 'invalid_client';
    const challenge = isUnknown && isBasic(request.header('authorization')) ? [BASIC_CHALLENGE] : [];
    const answer = { error: error.code, error_description: error.message };
    sendJson(response, isUnknown ? 401 : 400, answer, [...NOT_STORED, ...challenge]);
  }
}

function discovery(base: string): object {
  return {
    issuer: `${base}/auth`,
    token_endpoint: `${base}/auth/token`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    response_types_supported: ['none'],
    service_documentation: `${base}/api/help`,
  };
}
