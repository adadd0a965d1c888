// Resources: each dataset with its first tags, which are listed; and each tag with its newest point, which a template names.

import { formatTag } from '../../codec/write-json/tag-json.ts';
import { findTag } from '../readable/readable-tags.ts';
import { LISTING_TOOLS } from './tools/listing-tools.ts';
import { READING_TOOLS } from './tools/reading-tools.ts';
import type { Tool, ToolCall } from './tools/tool.ts';

const PREFIX = 'varve://datasets/';
const JSON_TYPE = 'application/json';

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: typeof JSON_TYPE;
}

/** By RFC 6570, so names are escaped as in a path of the API. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${PREFIX}{dataset}`,
    name: 'dataset',
    title: 'Dataset',
    description: 'A dataset: its rules and its first tags.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${PREFIX}{dataset}/tags/{tag}`,
    name: 'tag',
    title: 'Tag',
    description: 'A tag of a dataset: description, type, units, and its newest point.',
    mimeType: JSON_TYPE,
  },
] as const;

export async function listResources({ service, outer }: ToolCall): Promise<ListedResource[]> {
  await service.engine.lookAtTags();
  return service.engine
    .datasets()
    .filter(({ name }) => outer.caller.may('read', name))
    .map(({ name, tagCount }) => ({
      uri: PREFIX + encodeURIComponent(name),
      name,
      description: `Dataset with ${tagCount} tags`,
      mimeType: JSON_TYPE,
    }));
}

/** The JSON of a resource; undefined when there is none of this name. Rejects with a `ToolError`. */
export async function readResource(call: ToolCall, uri: string): Promise<unknown> {
  const names = uri.startsWith(PREFIX) && uri.isWellFormed() ? uri.slice(PREFIX.length).split('/').map(decode) : [];
  const [dataset, tags, tag] = names;
  if (dataset === undefined) return undefined;
  if (names.length === 1) return readDataset(call, dataset);
  return names.length === 3 && tags === 'tags' && tag !== undefined ? readTag(call, dataset, tag) : undefined;
}

async function readDataset(call: ToolCall, name: string): Promise<unknown> {
  const dataset = await call.routes.call(call.outer, { route: 'GET /api/datasets/{dataset}', dataset: name });
  const tags = (await toolOf(LISTING_TOOLS, 'list_tags').run(call, { dataset: name })) as object;
  return { dataset, ...tags };
}

async function readTag(call: ToolCall, dataset: string, name: string): Promise<unknown> {
  const latest = (await toolOf(READING_TOOLS, 'read_latest').run(call, { dataset, tags: [name] })) as {
    tl: readonly { d: readonly unknown[] }[];
  };
  const tag = findTag(call.service.engine, dataset, name);
  return tag && { tag: JSON.parse(formatTag(tag)), latest: latest.tl[0]?.d[0] ?? null };
}

function toolOf(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`BUG: there is no tool ${name}`);
  return tool;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
