// A resource for each dataset: what it is, and its first tags.

import { LISTING_TOOLS } from './tools/listing-tools.ts';
import type { ToolCall } from './tools/tool.ts';

const PREFIX = 'varve://datasets/';

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: 'application/json';
}

export async function listResources({ service, outer }: ToolCall): Promise<ListedResource[]> {
  await service.engine.lookAtTags();
  return service.engine
    .datasets()
    .filter(({ name }) => outer.caller.may('read', name))
    .map(({ name, tagCount }) => ({
      uri: PREFIX + encodeURIComponent(name),
      name,
      description: `Dataset with ${tagCount} tags`,
      mimeType: 'application/json',
    }));
}

/** The JSON of a resource; undefined when there is none of this name. Rejects with a `ToolError`. */
export async function readResource(call: ToolCall, uri: string): Promise<unknown> {
  const name = uri.startsWith(PREFIX) ? decode(uri.slice(PREFIX.length)) : undefined;
  if (name === undefined) return undefined;
  const dataset = await call.routes.call(call.outer, { route: 'GET /api/datasets/{dataset}', dataset: name });
  const listing = LISTING_TOOLS.find((tool) => tool.name === 'list_tags');
  const tags = (await listing?.run(call, { dataset: name })) as object;
  return { dataset, ...tags };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
