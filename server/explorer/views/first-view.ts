// What is shown to someone who comes without a link: a dataset, and a few tags of it that tell something.

import { readTags, type TagListing } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { refreshTags } from '../datasets/datasets.ts';
import { startDataset } from '../datasets/start-dataset.ts';
import type { TagDefinition } from '../model/tags/tag.ts';
import { stateTexts, unitOf, type ValueKind, valueKind } from '../model/values/value-kind.ts';
import { changeView } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { keepDataset } from '../state/last-dataset.ts';
import { isViewAwaited } from './view-address.ts';

const MOST_ASKED = 60;
const LATELY_MS = 2 * 3_600_000;

/** A picture of a machine: two numbers, its state and a text. */
const WANTED: readonly ValueKind[] = ['line', 'line', 'state', 'text'];

/** Chooses a dataset when the link names none, and tags when it is bare. */
export async function chooseFirstView(): Promise<void> {
  if (isViewAwaited()) return;
  const { view, datasets = [] } = app.get();
  const named = datasets.find(({ n }) => n === view.dataset)?.n;
  const dataset = named ?? (await startDataset(datasets));
  if (dataset === undefined) return;
  if (named !== undefined) keepDataset(named);
  if (!app.get().listings.has(dataset)) await refreshTags(dataset);
  const isBare = location.hash.replace('#', '') === '';
  const listing = app.get().listings.get(dataset);
  const tags = isBare && listing !== undefined ? await pickLively(dataset, richestMachine(listing)) : [];
  const chosen = tags.map(({ n }) => ({ dataset, name: n }));
  // Who went elsewhere in the meantime stays there.
  const now = app.get().view;
  if (now.dataset !== undefined && now.dataset !== view.dataset) return;
  changeView({ dataset, tags: now.tags.length > 0 ? now.tags : chosen }, 'same');
}

/** Shows tags of a dataset that has just got its first points. */
export async function showNewDataset(dataset: string): Promise<void> {
  await refreshTags(dataset);
  const listing = app.get().listings.get(dataset);
  const tags = listing === undefined ? [] : await pickLively(dataset, richestMachine(listing));
  if (app.get().view.tags.length > 0) return;
  changeView({ dataset, tags: tags.map(({ n }) => ({ dataset, name: n })) }, 'same');
}

/** The tags of one machine, as far as names tell: those that share the part before the first separator. */
function richestMachine({ User }: TagListing): TagDefinition[] {
  const machines = new Map<string, TagDefinition[]>();
  for (const tag of User) {
    const machine = tag.n.split(/[/.]/)[0] ?? '';
    machines.set(machine, [...(machines.get(machine) ?? []), tag]);
  }
  const richness = (tags: readonly TagDefinition[]): number =>
    1000 * pickKinds(tags).length + Math.min(999, tags.length);
  return [...machines.values()].sort((a, b) => richness(b) - richness(a))[0] ?? [];
}

/** Tags with the most points of late come first; of states those with the most texts. */
async function pickLively(dataset: string, tags: readonly TagDefinition[]): Promise<TagDefinition[]> {
  const asked = tags.slice(0, MOST_ASKED);
  const endMs = serverNowMs();
  const names = asked.map(({ n }) => n);
  try {
    const found = await readTags(dataset, names, { startMs: endMs - LATELY_MS, endMs, points: 1 });
    const counts = new Map(found.map(({ tag, reducedFrom = 0 }) => [tag.n, reducedFrom]));
    const liveliness = (tag: TagDefinition): number =>
      valueKind(tag) === 'state' ? (stateTexts(tag)?.size ?? 0) : (counts.get(tag.n) ?? 0);
    return pickKinds([...asked].sort((a, b) => liveliness(b) - liveliness(a)));
  } catch {
    return pickKinds(asked);
  }
}

/** Two numbers of different units tell more than two of one. */
function pickKinds(tags: readonly TagDefinition[]): TagDefinition[] {
  const picked: TagDefinition[] = [];
  for (const kind of WANTED) {
    const units = picked.map((one) => unitOf(one)?.text);
    const fits = tags.filter((one) => !picked.includes(one) && valueKind(one) === kind);
    const tag = fits.find((one) => !units.includes(unitOf(one)?.text)) ?? fits[0];
    if (tag !== undefined) picked.push(tag);
  }
  return picked;
}
