// What `--compat timebase` changes of the description: what the server in that mode does otherwise than by default.

import { timebaseTvqAnswerSchema } from '../schemas/tvq.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import type { SchemaName } from './components.ts';
import type { Answer, Operation, Parameter } from './operation.ts';
import { BOUNDARY_PARAMETER, PREFER_WRITE } from './parameters.ts';

export const TIMEBASE_DESCRIPTION =
  'It runs with `--compat timebase`: the fixed parts of paths and the names of parameters are taken in any case, and answers ' +
  "are those of the reference product's live servers.";

export const TIMEBASE_SCHEMAS: Partial<Record<SchemaName, JsonSchema>> = { TvqAnswer: timebaseTvqAnswerSchema };

const LENIENT =
  'Creates the dataset and unknown tags. Faulty points are left out and counted, unless the request or a setting refuses them.';

/** By operation id. */
const CHANGES: Readonly<Record<string, Partial<Operation>>> = {
  createDataset: {
    description: 'One that is there stays as it was, whatever the definition.',
    problems: [400, 413],
  },
  writeTags: { description: LENIENT },
  writeTag: { description: LENIENT },
};

const PARAMETERS: ReadonlyMap<Parameter, Parameter> = new Map([
  [BOUNDARY_PARAMETER, { ...BOUNDARY_PARAMETER, schema: { ...BOUNDARY_PARAMETER.schema, default: 'carry' } }],
  [
    PREFER_WRITE,
    {
      ...PREFER_WRITE,
      description:
        '`return=representation` answers the receipt as JSON; `handling=strict` refuses all for one faulty point.',
      example: 'return=representation, handling=strict',
    },
  ],
]);

/** The operation as it is in this mode. */
export function toTimebase(operation: Operation): Operation {
  return {
    ...operation,
    parameters: (operation.parameters ?? []).map((parameter) => PARAMETERS.get(parameter) ?? parameter),
    answers: operation.answers.map(toTimebaseAnswer),
    ...CHANGES[operation.id],
  };
}

/** A value that is null is left out. */
function toTimebaseAnswer(answer: Answer): Answer {
  if (answer.example === undefined) return answer;
  const isNullValue = (key: string, value: unknown): boolean => key === 'v' && value === null;
  const text = JSON.stringify(answer.example, (key, value) => (isNullValue(key, value) ? undefined : value));
  return { ...answer, example: JSON.parse(text) };
}
