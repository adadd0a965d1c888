// The operations by which clients fetch their tokens, and callers learn what they may do.

import type { Operation } from '../operation.ts';

const NO_ACCESS_CONTROL = 'Without access control it is `404`.';

export const AUTH_OPERATIONS: readonly Operation[] = [
  {
    id: 'fetchToken',
    method: 'POST',
    path: '/auth/token',
    group: 'Access',
    summary: 'A short-lived token for a client',
    description: `OAuth 2.0, client credentials (RFC 6749, section 4.4): as a form or JSON, the client in the body or by Basic. ${NO_ACCESS_CONTROL}`,
    body: {
      schema: 'TokenRequest',
      description: 'Who asks. Without `client_id` and `client_secret` where these come by Basic.',
      examples: {
        client: {
          grant_type: 'client_credentials',
          client_id: 'pulse',
          client_secret: '4h1Zp0mW3rQvYt8sKxN2bC6dEfGjLuAiTo7RzPlQw9M',
        },
      },
      isForm: true,
    },
    answers: [
      {
        status: 200,
        description: 'The token, for the header `Authorization: Bearer`.',
        schema: 'IssuedToken',
        example: {
          access_token: 'varve_3f9a1c2e_1795345200000_n3bC6dEfGjLuAiTo7RzPlQw9M4h1Zp0mW3rQvYt8sKx',
          token_type: 'Bearer',
          expires_in: 3600,
        },
      },
      {
        status: 400,
        description: 'It cannot be understood: `invalid_request`, or `unsupported_grant_type`.',
        schema: 'TokenFault',
        example: { error: 'invalid_request', error_description: 'grant_type is missing.' },
      },
      {
        status: 401,
        description: 'No such client, or another secret: `invalid_client`.',
        schema: 'TokenFault',
        example: {
          error: 'invalid_client',
          error_description: 'There is no such client, or its secret is another one.',
        },
      },
    ],
    problems: [404, 413, 415],
  },
  {
    id: 'tokenDiscovery',
    method: 'GET',
    path: '/auth/.well-known/openid-configuration',
    group: 'Access',
    summary: 'Where tokens are to be had',
    description: `What OpenID Connect Discovery and RFC 8414 say of a server that only gives tokens to clients. ${NO_ACCESS_CONTROL}`,
    answers: [
      {
        status: 200,
        description: 'With addresses as the request reached the server.',
        schema: 'TokenDiscovery',
        example: {
          issuer: 'http://historian:4511/auth',
          token_endpoint: 'http://historian:4511/auth/token',
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
          response_types_supported: ['none'],
          service_documentation: 'http://historian:4511/api/help',
        },
      },
    ],
    problems: [404],
  },
  {
    id: 'describeCaller',
    method: 'GET',
    path: '/auth/caller',
    group: 'Access',
    summary: 'What the caller may do',
    description: 'The role of the token and its datasets. Without access control everybody may do everything.',
    answers: [
      {
        status: 200,
        description: '`access` is `open` while there are no tokens.',
        schema: 'Caller',
        example: {
          access: 'token',
          role: 'read',
          datasets: ['Line *'],
          name: 'Display in the control room',
          expires: '2027-01-31T12:00:00.000Z',
        },
      },
    ],
    problems: [],
  },
];
