// What a client sends to fetch a token, and what it gets; what a caller may do.

import { ROLES } from '../../auth/rules/role.ts';

export const tokenRequestSchema = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { const: 'client_credentials' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
  },
} as const;

export const issuedTokenSchema = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', minimum: 0, description: 'Seconds.' },
  },
} as const;

export const tokenFaultSchema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type'] },
    error_description: { type: 'string' },
  },
} as const;

const textList = { type: 'array', items: { type: 'string' } } as const;

export const tokenDiscoverySchema = {
  type: 'object',
  required: ['issuer', 'token_endpoint', 'grant_types_supported'],
  properties: {
    issuer: { type: 'string' },
    token_endpoint: { type: 'string' },
    grant_types_supported: textList,
    token_endpoint_auth_methods_supported: textList,
    response_types_supported: textList,
    service_documentation: { type: 'string' },
  },
} as const;

export const callerSchema = {
  type: 'object',
  required: ['access', 'role', 'datasets', 'name'],
  properties: {
    access: { enum: ['open', 'token'] },
    role: { enum: ROLES },
    datasets: textList,
    name: { type: 'string' },
    expires: { type: 'string', description: 'ISO 8601.' },
  },
} as const;
