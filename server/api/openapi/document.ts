// Builds the OpenAPI 3.1 document out of the operations and the schemas.

import { STATUS_CODES } from 'node:http';
import { needOf } from '../../auth/rules/route-rules.ts';
import { COMPONENT_SCHEMAS, HEADERS } from './components.ts';
import {
  type Answer,
  ARROW_TYPE,
  type Body,
  CSV_TYPE,
  FORM_TYPE,
  JSON_LINES_TYPE,
  JSON_TYPE,
  MSGPACK_TYPE,
  type Operation,
  PARQUET_TYPE,
  type Parameter,
} from './operation.ts';
import { ANNOTATION_OPERATIONS } from './operations/annotation-operations.ts';
import { AUTH_OPERATIONS } from './operations/auth-operations.ts';
import { CORRECTION_OPERATIONS } from './operations/correction-operations.ts';
import { DATA_OPERATIONS } from './operations/data-operations.ts';
import { DATASET_OPERATIONS } from './operations/dataset-operations.ts';
import { SERVER_OPERATIONS } from './operations/server-operations.ts';
import { STATISTICS_OPERATIONS } from './operations/statistics-operations.ts';
import { TAG_OPERATIONS } from './operations/tag-operations.ts';
import { VIEW_OPERATIONS } from './operations/view-operations.ts';
import { TIMEBASE_DESCRIPTION, TIMEBASE_SCHEMAS, toTimebase } from './timebase.ts';

/** What the server does by default, or under `--compat timebase`. */
export type DescribedMode = 'default' | 'timebase';

export const OPERATIONS: readonly Operation[] = [
  ...DATASET_OPERATIONS,
  ...TAG_OPERATIONS,
  ...DATA_OPERATIONS,
  ...STATISTICS_OPERATIONS,
  ...ANNOTATION_OPERATIONS,
  ...CORRECTION_OPERATIONS,
  ...VIEW_OPERATIONS,
  ...AUTH_OPERATIONS,
  ...SERVER_OPERATIONS,
];

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  dataset: 'Name of a dataset, percent-encoded.',
  tagname: 'Name of a tag, percent-encoded; a plain / is taken, too.',
  annotation: 'Id of an annotation.',
  view: 'Id of a saved view.',
  correction: 'Id of a correction.',
  file: 'Name of a file.',
};

/** What any operation of a need may answer besides its own problems; 400 for a faulty head, 403 for a foreign Host. */
const PROBLEMS_OF_NEED: Readonly<Record<'probe' | 'page' | 'client' | 'token', readonly number[]>> = {
  probe: [400, 500],
  page: [400, 403, 500],
  client: [400, 403, 429, 500],
  token: [400, 401, 403, 429, 500],
};

const GROUP_DESCRIPTIONS: Readonly<Record<Operation['group'], string>> = {
  Datasets: 'Named sets of tags, each with its rules for purging.',
  Tags: 'Named series of points, and what is known about them.',
  Data: 'Points: time, value and quality.',
  Status: "The condition of a dataset's collector.",
  Annotations: 'Texts about times and ranges, of a tag or of a whole dataset.',
  Views: 'Trends and dashboards of the Explorer, saved for all.',
  Access: 'Tokens for clients that have an id and a secret.',
  Server: 'The server itself, and its pages.',
};

const TOKEN_SCHEME = { token: { type: 'http', scheme: 'bearer', description: 'Needed where the server has tokens.' } };

export function buildOpenApi(version: string, mode: DescribedMode): object {
  const isTimebase = mode === 'timebase';
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of isTimebase ? OPERATIONS.map(toTimebase) : OPERATIONS) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = describeOperation(operation);
    paths[operation.path] = path;
  }
  const description = 'A time-series historian: datasets hold tags, tags hold points of time, value and quality.';
  const schemas = isTimebase ? { ...COMPONENT_SCHEMAS, ...TIMEBASE_SCHEMAS } : COMPONENT_SCHEMAS;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Varve',
      version,
      description: isTimebase ? `${description} ${TIMEBASE_DESCRIPTION}` : description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(GROUP_DESCRIPTIONS).map(([name, text]) => ({ name, description: text })),
    paths,
    components: { schemas, securitySchemes: TOKEN_SCHEME },
  };
}

function describeOperation(operation: Operation): object {
  const need = needOf(operation.method, operation.path);
  const isOpen = need === 'probe' || need === 'page' || need === 'client';
  const problems = PROBLEMS_OF_NEED[isOpen ? need : 'token'];
  const answers = operation.answers.map((answer) => [String(answer.status), describeAnswer(answer)] as const);
  const faults = [...operation.problems, ...problems].map(
    (status) => [String(status), describeProblem(status)] as const,
  );
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.isDeprecated === true ? { deprecated: true } : {}),
    security: isOpen ? [] : [{}, { token: [] }],
    parameters: [...pathParameters(operation.path), ...(operation.parameters ?? []).map(describeParameter)],
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation.body) }),
    responses: Object.fromEntries([...faults, ...answers]),
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: 'string' },
  }));
}

function describeParameter(parameter: Parameter): object {
  const { name, description, schema, example } = parameter;
  return {
    name,
    in: parameter.in,
    description,
    required: parameter.isRequired === true,
    schema,
    // The help page would fill in an example and send it along; several bounds exclude each other.
    ...(example === undefined || parameter.isRequired !== true ? {} : { example }),
  };
}

function describeBody(body: Body): object {
  const schema = { $ref: `#/components/schemas/${body.schema}` };
  const examples = Object.fromEntries(Object.entries(body.examples).map(([name, value]) => [name, { value }]));
  return {
    required: true,
    description: body.description,
    content: {
      [JSON_TYPE]: { schema, examples },
      ...(body.isMsgpack === true ? { [MSGPACK_TYPE]: { schema } } : {}),
      ...(body.isForm === true ? { [FORM_TYPE]: { schema } } : {}),
    },
  };
}

function describeAnswer(answer: Answer): object {
  const content = contentOf(answer);
  const headers = (answer.headers ?? []).map(
    (name) => [name, { description: HEADERS[name]?.description, schema: { type: HEADERS[name]?.type } }] as const,
  );
  return {
    description: answer.description,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(content === undefined ? {} : { content }),
  };
}

function contentOf(answer: Answer): object | undefined {
  if (answer.mediaType !== undefined) return { [answer.mediaType]: {} };
  if (answer.schema === undefined) return undefined;
  const schema = { $ref: `#/components/schemas/${answer.schema}` };
  const jsonSchema = answer.isRows === true ? { anyOf: [schema, { $ref: '#/components/schemas/Rows' }] } : schema;
  return {
    [JSON_TYPE]: { schema: jsonSchema, examples: { example: { value: answer.example } } },
    ...(answer.isMsgpack === true ? { [MSGPACK_TYPE]: { schema } } : {}),
    ...(answer.isRows === true || answer.isCsv === true ? { [CSV_TYPE]: {} } : {}),
    ...(answer.isRows === true ? { [JSON_LINES_TYPE]: {}, [PARQUET_TYPE]: {}, [ARROW_TYPE]: {} } : {}),
  };
}

function describeProblem(status: number): object {
  return {
    description: STATUS_CODES[status] ?? 'Problem',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
