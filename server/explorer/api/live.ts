// New points as they are stored: one stream of server-sent events, taken up again where it broke off. Read with fetch,
// because an EventSource sends no token.

import { withAllDigits } from '../model/values/live-digits.ts';
import type { PointValue } from '../model/values/value-text.ts';
import { createEventParser, type StreamEvent } from './event-stream.ts';
import { datasetPath } from './historian.ts';
import { ApiError, send } from './http.ts';

export interface LivePoint {
  readonly t: string;
  readonly v?: PointValue;
  readonly q?: number;
}

export type LivePoints = Readonly<Record<string, readonly LivePoint[]>>;

export interface LiveListener {
  onPoints(points: LivePoints): void;
  /** Points were missed, or corrected: what is shown has to be read again. */
  onMissed(): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server sends a sign of life every 15 s; without one for this long the connection is taken for dead. */
const SILENCE_LIMIT_MS = 40_000;

/** Listens until it is closed by the returned function. */
export function listenLive(dataset: string, names: readonly string[], listener: LiveListener): () => void {
  const closing = new AbortController();
  void keepListening(dataset, names, listener, closing.signal);
  return () => closing.abort();
}

async function keepListening(
  dataset: string,
  names: readonly string[],
  listener: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  const query = names.map((name) => `tagname=${encodeURIComponent(name)}`).join('&');
  const url = `${datasetPath(dataset)}/live?${query}`;
  let marker: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await listenOnce(url, marker, signal, (event) => {
        marker = event.id ?? marker;
        pauseMs = FIRST_PAUSE_MS;
        deliver(event, listener);
      });
    } catch (error) {
      // Refused for good: polling goes on without it.
      if (error instanceof ApiError && error.status < 500) return;
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

function deliver({ event, data }: StreamEvent, listener: LiveListener): void {
  if (event === 'points') listener.onPoints(JSON.parse(withAllDigits(data)) as LivePoints);
  else if (event === 'skipped' || event === 'reset' || event === 'corrected') listener.onMissed();
}

async function listenOnce(
  url: string,
  marker: string | undefined,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
  try {
    const headers = { Accept: 'text/event-stream', ...(marker === undefined ? {} : { 'Last-Event-ID': marker }) };
    const response = await send(url, { signal: either, headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parse = createEventParser();
    for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
      for (const event of parse(read.value)) onEvent(event);
    }
  } finally {
    clearTimeout(timer);
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
