// The operations of the API on saved views.

import type { SavedView, ViewDefinition, ViewHead } from '../model/views/saved-view.ts';
import { send, sendForJson } from './http.ts';

const LIST = '/api/views';

export function listViews(): Promise<ViewHead[]> {
  return sendForJson(LIST);
}

export function getView(id: string): Promise<SavedView> {
  return sendForJson(pathOf(id));
}

export function createView(definition: ViewDefinition): Promise<SavedView> {
  return sendForJson(LIST, { method: 'POST', body: definition });
}

/** Throws an `ApiError` 412 when the view has another revision by now. */
export function changeView(id: string, revision: number, definition: ViewDefinition): Promise<SavedView> {
  const headers = { 'If-Match': `"${revision}"` };
  return sendForJson(pathOf(id), { method: 'PUT', headers, body: definition });
}

export async function deleteView(id: string): Promise<void> {
  await send(pathOf(id), { method: 'DELETE' });
}

function pathOf(id: string): string {
  return `${LIST}/${encodeURIComponent(id)}`;
}
