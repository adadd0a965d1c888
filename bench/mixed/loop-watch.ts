// Loaded into the server's process before the server: watches its event loop for pauses, and samples what runs in them.
// Answers the message `report` with a `LoopReport` of the time since the last one. Sampling costs a few per cent.

import { type Profiler, Session } from 'node:inspector';
import { PerformanceObserver } from 'node:perf_hooks';
import { type LoopReport, PAUSE_LIMIT_MS, type Pause } from './loop-report.ts';

const TICK_MS = 2;
const SAMPLE_US = 1000;
const CAUSES = 3;

const session = new Session();
let pauses: { startMs: number; durationMs: number }[] = [];
let collections: { startMs: number; durationMs: number }[] = [];

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    collections.push({ startMs: startTime, durationMs: duration });
  }
}).observe({ entryTypes: ['gc'] });

let lastMs = performance.now();
setInterval(() => {
  const nowMs = performance.now();
  const durationMs = nowMs - lastMs - TICK_MS;
  if (durationMs > PAUSE_LIMIT_MS) pauses.push({ startMs: lastMs, durationMs });
  lastMs = nowMs;
}, TICK_MS).unref();

session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
session.post('Profiler.start');

process.on('message', (message) => {
  if (message !== 'report') return;
  session.post('Profiler.stop', (error, result) => {
    process.send?.(error ? emptyReport() : reportOf(result.profile));
    session.post('Profiler.start');
    pauses = [];
    collections = [];
    // What the report itself took is none of the server's pauses.
    lastMs = performance.now();
  });
});
// Listening must not keep the server from ending.
process.channel?.unref();

function emptyReport(): LoopReport {
  return { pauses: [], longestCollectionMs: 0, collectionMs: 0 };
}

function reportOf(profile: Profiler.Profile): LoopReport {
  // The profile's clock is the same one with another zero.
  const offsetUs = profile.endTime - performance.now() * 1000;
  const durations = collections.map(({ durationMs }) => durationMs);
  return {
    pauses: pauses.map((pause) => describe(pause, profile, offsetUs)),
    longestCollectionMs: Math.max(0, ...durations),
    collectionMs: durations.reduce((sum, ms) => sum + ms, 0),
  };
}

function describe(
  { startMs, durationMs }: { startMs: number; durationMs: number },
  profile: Profiler.Profile,
  offsetUs: number,
): Pause {
  const endMs = startMs + durationMs + TICK_MS;
  const gcMs = collections.reduce(
    (sum, gc) => sum + Math.max(0, Math.min(endMs, gc.startMs + gc.durationMs) - Math.max(startMs, gc.startMs)),
    0,
  );
  const byPlace = new Map<string, number>();
  const places = placesOf(profile);
  let atUs = profile.startTime;
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const deltaUs = profile.timeDeltas?.[i] ?? 0;
    atUs += deltaUs;
    const atMs = (atUs - offsetUs) / 1000;
    if (atMs < startMs || atMs > endMs) continue;
    const place = places.get(id) ?? 'unknown';
    byPlace.set(place, (byPlace.get(place) ?? 0) + deltaUs / 1000);
  }
  const causes = [...byPlace].sort((a, b) => b[1] - a[1]).slice(0, CAUSES);
  return { durationMs, gcMs, causes: causes.map(([place, ms]) => ({ place, ms })) };
}

/** For each node the innermost function of the project that it runs in; what has none goes by its own name. */
function placesOf(profile: Profiler.Profile): Map<number, string> {
  const parents = new Map<number, Profiler.ProfileNode>();
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node);
  const places = new Map<number, string>();
  for (const node of profile.nodes) {
    let inner: Profiler.ProfileNode | undefined = node;
    while (inner && !isOurs(inner)) inner = parents.get(inner.id);
    places.set(node.id, inner ? placeName(inner) : node.callFrame.functionName);
  }
  return places;
}

function isOurs({ callFrame }: Profiler.ProfileNode): boolean {
  return /\/(engine|server)\/[^:]+\.[jt]s\b/.test(callFrame.url) && callFrame.functionName !== '';
}

function placeName({ callFrame }: Profiler.ProfileNode): string {
  const path = /\/((engine|server)\/.+)$/.exec(callFrame.url)?.[1] ?? callFrame.url;
  return `${callFrame.functionName} (${path})`;
}
