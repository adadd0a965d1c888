// The operations on datasets.

import { type DatasetDefinition, EngineError } from '../../engine/index.ts';
import { datasetBodySchema, toDatasetAnswer, toDatasetDefinition } from '../api/schemas/dataset.ts';
import { readJsonBody } from '../api/validation/json-body.ts';
import { requireObject, requireSameName } from '../api/validation/validate.ts';
import type { Caller } from '../auth/rules/caller.ts';
import type { HttpRequest, HttpResponse } from '../http/contract/http-server.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { sendDone, sendJson } from './answer/answers.ts';
import { datasetOf } from './request/path-names.ts';
import type { Service } from './service/service.ts';

const LIST = '/api/datasets';
const ONE = '/api/datasets/{dataset}';

export function datasetRoutes(service: Service): Route[] {
  const { engine } = service;
  return [
    {
      method: 'GET',
      pattern: LIST,
      async handle({ response, caller }) {
        await engine.lookAtTags();
        const visible = engine.datasets().filter(({ name }) => caller.may('read', name));
        sendJson(response, 200, visible.map(toDatasetAnswer));
      },
    },
    { method: 'POST', pattern: LIST, handle: (call) => createDataset(service, call) },
    { method: 'GET', pattern: ONE, handle: (call) => sendDataset(service, call.response, datasetOf(call), 200) },
    { method: 'POST', pattern: ONE, handle: (call) => updateDataset(service, call) },
    { method: 'DELETE', pattern: ONE, handle: (call) => deleteDataset(service, call) },
    {
      method: 'GET',
      pattern: `${ONE}/exists`,
      handle: (call) => sendJson(call.response, 200, engine.hasDataset(datasetOf(call))),
    },
  ];
}

async function createDataset(service: Service, { request, response, caller }: RouteContext): Promise<void> {
  const definition = await readDefinition(service, request);
  caller.require('write', definition.name);
  const outcome = await createOrKeep(service, definition);
  if (outcome === 'created') auditRules(caller, 'dataset.create', definition);
  sendDataset(service, response, definition.name, outcome === 'created' ? 201 : 200);
}

async function createOrKeep(service: Service, definition: DatasetDefinition): Promise<'created' | 'existing'> {
  try {
    return await service.engine.createDataset(definition);
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'DATASET_EXISTS')) throw error;
    if (service.style.existingDataset === 'conflict') throw error;
    return 'existing';
  }
}

async function updateDataset(service: Service, call: RouteContext): Promise<void> {
  const definition = await readDefinition(service, call.request);
  requireSameName(definition.name, datasetOf(call));
  const outcome = await service.engine.updateDataset(definition);
  auditRules(call.caller, outcome === 'created' ? 'dataset.create' : 'dataset.update', definition);
  sendDataset(service, call.response, definition.name, outcome === 'created' ? 201 : 200);
}

async function deleteDataset(service: Service, call: RouteContext): Promise<void> {
  await service.engine.deleteDataset(datasetOf(call));
  call.caller.audit('dataset.delete', { dataset: datasetOf(call) });
  sendDone(call.response);
}

function auditRules(caller: Caller, action: 'dataset.create' | 'dataset.update', definition: DatasetDefinition): void {
  const { name: dataset, ...rules } = definition;
  caller.audit(action, { dataset, ...rules });
}

async function readDefinition(service: Service, request: HttpRequest): Promise<DatasetDefinition> {
  const body = await readJsonBody(request, service.maxBodyBytes);
  return toDatasetDefinition(requireObject(datasetBodySchema, body));
}

function sendDataset(service: Service, response: HttpResponse, name: string, status: 200 | 201): void {
  sendJson(response, status, toDatasetAnswer(service.engine.dataset(name)));
}
