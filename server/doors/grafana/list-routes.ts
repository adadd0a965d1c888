// The operations that fill the menus of the query editor, of variables and of filters.

import type { RouteContext } from '../../http/routing/router.ts';
import { sendJson } from '../../routes/answer/answers.ts';
import { sendItems } from '../../routes/answer/send-items.ts';
import type { Service } from '../../routes/service/service.ts';
import { EVERY_NAME, type NameTest, readableDatasets, tagsOf } from '../readable/readable-tags.ts';
import { datasetNamed, testOf } from './chosen-tags.ts';
import { payloadOf, readRequest, textAt } from './json-requests.ts';
import { SHOW_OPTIONS } from './shown.ts';

/** More than a menu can show. */
const MAX_ITEMS = 10_000;

/** A metric is a dataset; its tags are asked for when their menu is opened. */
export async function sendMetrics(service: Service, call: RouteContext): Promise<void> {
  await readRequest(call);
  const names = await readableDatasets(service, call.caller, EVERY_NAME);
  const payloads = [
    { label: 'Tags', name: 'tags', type: 'multi-select', placeholder: 'Tags', width: 60 },
    { label: 'Show', name: 'show', type: 'select', placeholder: 'points', width: 40, options: SHOW_OPTIONS },
  ];
  await sendItems(call.response, names.slice(0, MAX_ITEMS), (value) => ({ label: value, value, payloads }));
}

export async function sendPayloadOptions(service: Service, call: RouteContext): Promise<void> {
  const body = await readRequest(call);
  const name = textAt(body, 'name') ?? '';
  if (name === 'show') return sendJson(call.response, 200, SHOW_OPTIONS);
  const dataset = textAt(body, 'metric') ?? '';
  const tags = name === 'tags' && dataset !== '' ? await tagNames(service, call, dataset) : [];
  await sendItems(call.response, tags, (value) => ({ label: value, value }));
}

/** Without a target the datasets, with one its tags, with a slash behind it those that a pattern fits: `plant/PA01\..*`. */
export async function sendVariable(service: Service, call: RouteContext): Promise<void> {
  const target = textAt(payloadOf(await readRequest(call)), 'target') ?? '';
  const names = await namesOf(service, call, target);
  await sendItems(call.response, names, (name) => ({ __text: name, __value: name }));
}

async function namesOf(service: Service, call: RouteContext, target: string): Promise<string[]> {
  if (target === '') return (await readableDatasets(service, call.caller, EVERY_NAME)).slice(0, MAX_ITEMS);
  const slash = target.indexOf('/');
  if (slash < 0) return tagNames(service, call, target);
  return tagNames(service, call, target.slice(0, slash), testOf(target.slice(slash + 1)));
}

export async function sendFilterKeys(_service: Service, call: RouteContext): Promise<void> {
  await readRequest(call);
  sendJson(call.response, 200, [{ type: 'string', text: 'tag' }]);
}

/** Sends the tags of all datasets that the caller may read. */
export async function sendFilterValues(service: Service, call: RouteContext): Promise<void> {
  const isOfTags = textAt(await readRequest(call), 'key') === 'tag';
  const names = new Set<string>();
  const datasets = isOfTags ? await readableDatasets(service, call.caller, EVERY_NAME) : [];
  for (const dataset of datasets) {
    for (const name of await tagNames(service, call, dataset)) names.add(name);
    if (names.size >= MAX_ITEMS) break;
  }
  await sendItems(call.response, [...names].slice(0, MAX_ITEMS), (text) => ({ text }));
}

async function tagNames(
  service: Service,
  { caller, request }: RouteContext,
  text: string,
  test: NameTest = EVERY_NAME,
): Promise<string[]> {
  const dataset = await datasetNamed(service, caller, text);
  const names: string[] = [];
  for await (const { name } of tagsOf(service.engine, dataset, test, () => request.aborted)) {
    if (names.push(name) >= MAX_ITEMS) break;
  }
  return names;
}
