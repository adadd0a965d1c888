// Preloaded into a server process, as it stands: the engine's limits are those of TUNED_LIMITS, a JSON object, whatever the settings say.
// Heads, spills, files and purges thus turn over within a few requests of a real process.

import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** In the engine's sources, and in what is built from them. */
const SETTINGS_WIN = /\.\.\.options\.tunables\b/g;

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!/\/(open-engine|chunks\/engine)\.[jt]s$/.test(url)) return loaded;
  const text = String(loaded.source);
  const found = text.match(SETTINGS_WIN)?.length ?? 0;
  if (found !== 1) throw new Error(`${url}: ${found} places where the limits are settled; want 1`);
  return { ...loaded, source: text.replace(SETTINGS_WIN, (place) => `${place}, ...${process.env.TUNED_LIMITS}`) };
}

// The thread of the hooks loads this file, too.
if (isMainThread) register(import.meta.url);
