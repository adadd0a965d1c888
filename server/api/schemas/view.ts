// JSON Schemas of saved views, and the way from a body to what is saved.

import type { HttpRequest } from '../../http/contract/http-server.ts';
import { ProblemError, type ProblemFault } from '../../problem.ts';
import {
  MAX_DATASET_NAME_LENGTH,
  MAX_VIEW_CONTENT_BYTES,
  MAX_VIEW_DATASETS,
  MAX_VIEW_FOLDER_LENGTH,
  MAX_VIEW_NAME_LENGTH,
  VIEW_KINDS,
  type ViewDefinition,
  type ViewKind,
} from '../../views/view.ts';
import { describeValue } from '../validation/faults.ts';
import { readJsonBody } from '../validation/json-body.ts';
import type { JsonObject, JsonSchema } from '../validation/json-schema.ts';
import { exactJson } from '../validation/long-number.ts';
import { bodyProblem, requireObject } from '../validation/validate.ts';

/** The content may be written with more white space and escapes than it is kept with. */
export const VIEW_BODY_LIMIT_BYTES = 1024 * 1024;

/** Control characters, and halves of surrogate pairs that stand alone. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

const kind = { enum: VIEW_KINDS };
const name = { type: 'string', description: `1 to ${MAX_VIEW_NAME_LENGTH} characters.` };
const folder = { type: 'string', description: "Names with '/' between them, such as `Boilers/North`; empty: none." };
const datasets = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names of all datasets that it shows; who may not read one of them does not see the view.',
};
const content = {
  type: 'object',
  description: 'What it shows, in the words of the page that made it. Kept as it is, numbers with all their digits.',
};

/** What clients send. Members that only answers have are accepted and ignored: clients send back what they have read. */
export const viewBodySchema: JsonSchema = {
  type: 'object',
  required: ['kind', 'name', 'datasets', 'content'],
  additionalProperties: false,
  properties: {
    kind,
    name,
    folder: { ...folder, description: `${folder.description} Absent: none.` },
    datasets,
    content,
    id: { description: 'Ignored.' },
    owner: { description: 'Ignored.' },
    changed: { description: 'Ignored.' },
    revision: { description: 'Ignored.' },
    editable: { description: 'Ignored.' },
  },
};

const headProperties = {
  id: { type: 'string' },
  kind,
  name,
  folder,
  owner: { type: 'string', description: 'Name of the token that has made it; absent when there were no tokens.' },
  datasets,
  changed: { type: 'string', description: 'ISO 8601.' },
  revision: { type: 'integer', minimum: 1, description: 'Counts its changes.' },
  editable: { type: 'boolean', description: 'Whether the caller may change and delete it.' },
};
const headRequired = ['id', 'kind', 'name', 'folder', 'datasets', 'changed', 'revision', 'editable'];

export const viewHeadSchema: JsonSchema = {
  type: 'object',
  required: headRequired,
  additionalProperties: false,
  properties: headProperties,
};

export const viewListSchema: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/ViewHead' } };

export const viewAnswerSchema: JsonSchema = {
  type: 'object',
  required: [...headRequired, 'content'],
  additionalProperties: false,
  properties: { ...headProperties, content },
};

export interface ReadView {
  readonly definition: ViewDefinition;
  /** The view's content as JSON text. */
  readonly content: string;
}

/** Throws a 400 for what is no view, and a 413 for one that is too large. */
export async function readViewBody(request: HttpRequest, maxBodyBytes: number): Promise<ReadView> {
  const value = await readJsonBody(request, Math.min(maxBodyBytes, VIEW_BODY_LIMIT_BYTES), 'exact');
  const body = requireObject(viewBodySchema, value);
  const definition = toViewDefinition(body);
  const faults = faultsOf(definition);
  if (faults.length > 0) throw bodyProblem(faults);
  return { definition, content: contentText(body) };
}

function toViewDefinition(body: JsonObject): ViewDefinition {
  return {
    kind: body.kind as ViewKind,
    name: body.name as string,
    folder: (body.folder ?? '') as string,
    datasets: [...new Set(body.datasets as string[])],
  };
}

function faultsOf({ name, folder, datasets }: ViewDefinition): ProblemFault[] {
  const faults = [...textFaults('/name', name, MAX_VIEW_NAME_LENGTH), ...folderFaults(folder)];
  if (name.trim() === '') faults.push({ path: '/name', message: `Got ${describeValue(name)}; want a name.` });
  if (datasets.length > MAX_VIEW_DATASETS) {
    const message = `Got ${datasets.length} datasets; want at most ${MAX_VIEW_DATASETS}.`;
    faults.push({ path: '/datasets', message });
  }
  const faulty = datasets.findIndex((dataset) => textFaults('', dataset, MAX_DATASET_NAME_LENGTH).length > 0);
  if (faulty >= 0) faults.push(...textFaults(`/datasets/${faulty}`, datasets[faulty] ?? '', MAX_DATASET_NAME_LENGTH));
  return faults;
}

function folderFaults(folder: string): ProblemFault[] {
  const faults = textFaults('/folder', folder, MAX_VIEW_FOLDER_LENGTH);
  if (folder === '' || folder.split('/').every((part) => part.trim() !== '')) return faults;
  const message = `Got ${describeValue(folder)}; want names with '/' between them, such as 'Boilers/North'.`;
  return [...faults, { path: '/folder', message }];
}

function textFaults(path: string, text: string, maxLength: number): ProblemFault[] {
  if (text.length > maxLength) {
    return [{ path, message: `Got ${text.length} characters; want at most ${maxLength}.` }];
  }
  const message = 'Got a control character or a lone surrogate; want neither.';
  return FORBIDDEN.test(text) ? [{ path, message }] : [];
}

function contentText({ content }: JsonObject): string {
  const text = exactJson(content);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_VIEW_CONTENT_BYTES) return text;
  const message = `Got ${bytes} bytes of content; want at most ${MAX_VIEW_CONTENT_BYTES}.`;
  throw new ProblemError(413, `The body at /content: ${message}`, { errors: [{ path: '/content', message }] });
}
