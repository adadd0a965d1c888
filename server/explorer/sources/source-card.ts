// What the page of sources shows of each one, whatever its kind: its state in words, the same figures for all, and its last error.

import type { AllSources, Collector, Source, Writer } from '../api/sources.ts';

export interface SourceCard {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** Address of the other side; empty where it is not known. */
  readonly address: string;
  readonly state: string;
  readonly health: 'good' | 'poor' | 'quiet';
  readonly figures: readonly Figure[];
  readonly lastError: string | undefined;
  /** Single messages that could not become points. */
  readonly bad: Source['badMessages'];
}

export interface Figure {
  readonly label: string;
  readonly text: string;
  /** Something is lost. */
  readonly isBad?: boolean;
}

const STATE_TEXTS: Readonly<Record<Source['state'], string>> = {
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'not connected, trying again',
  holding: 'the dataset takes no points, trying again',
  stopped: 'stopped',
};

const WAYS: Readonly<Record<Writer['way'], string>> = { api: 'API', 'line-protocol': 'Line protocol' };
const MEGABYTE = 1e6;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
/** A client that has written within this time is at work. */
const QUIET_SECONDS = 60;

export function cardsOf({ collectors, sources, writers }: AllSources, nowMs: number): SourceCard[] {
  return [
    ...collectors.map(ofCollector),
    ...sources.map(ofBroker),
    ...writers.map((writer) => ofWriter(writer, nowMs)),
  ];
}

/** One line for the list beside the trend. */
export function summaryOf(card: SourceCard): string {
  const lost = card.figures.find(({ isBad }) => isBad);
  return `${card.name}: ${card.state}${lost === undefined ? '' : `, ${lost.text} ${lost.label}`}`;
}

function ofCollector(collector: Collector): SourceCard {
  const { dataset, state, endpoints, connectedTo, lastError, variables, waiting, counts } = collector;
  const { overflowed = 0, dropped = 0 } = counts;
  const { points, bytes, seconds } = waiting;
  const onDisk = `${count(points)} points, ${(bytes / MEGABYTE).toFixed(1)} MB, the oldest for ${spanText(seconds)}`;
  return {
    key: `opcua ${dataset}`,
    kind: 'OPC UA',
    name: dataset,
    address: connectedTo ?? endpoints.join(', '),
    state: STATE_TEXTS[state],
    health: state === 'connected' ? 'good' : 'poor',
    figures: [
      ...flowOf(collector),
      { label: 'variables', text: count(variables) },
      { label: 'buffered on disk', text: points === 0 ? 'nothing' : onDisk },
      ...lostOf({ refused: counts.refused ?? 0, 'without room': dropped, 'times a queue was too short': overflowed }),
    ],
    lastError,
    bad: [],
  };
}

function ofBroker(source: Source): SourceCard {
  const { name, url, state, lastError, counts, pendingMessages, pendingBytes, badMessages } = source;
  const { messages = 0, bad = 0, rejected = 0, ignored = 0, expired = 0 } = counts;
  const waits = `${count(pendingMessages)} messages, ${(pendingBytes / MEGABYTE).toFixed(1)} MB`;
  return {
    key: `mqtt ${name}`,
    kind: 'MQTT',
    name,
    address: url,
    state: STATE_TEXTS[state],
    health: state === 'connected' ? 'good' : 'poor',
    figures: [
      ...flowOf(source),
      { label: 'messages', text: count(messages) },
      { label: 'buffered', text: pendingMessages === 0 ? 'nothing' : waits },
      ...lostOf({ bad, refused: rejected, 'too late': ignored, 'too old': expired }),
    ],
    lastError,
    bad: badMessages,
  };
}

function ofWriter(
  { dataset, client, way, lastWrite, pointsPerSecond, counts, lastError }: Writer,
  nowMs: number,
): SourceCard {
  const { requests = 0, stored = 0, repeated = 0, ignored = 0, expired = 0, rejected = 0, refused = 0 } = counts;
  const silentSeconds = lastWrite === undefined ? undefined : Math.max(0, (nowMs - Date.parse(lastWrite)) / 1000);
  return {
    key: `${way} ${client} ${dataset}`,
    kind: WAYS[way],
    name: `${client === '' ? 'a client without a name' : client} to ${dataset}`,
    address: '',
    state: silentSeconds === undefined ? 'all refused' : `wrote ${spanText(silentSeconds)} ago`,
    health: healthOf(silentSeconds),
    figures: [
      { label: 'points a second', text: pointsPerSecond.toFixed(1) },
      { label: 'stored', text: count(stored) },
      { label: 'requests', text: count(requests) },
      ...(repeated > 0 ? [{ label: 'there already', text: count(repeated) }] : []),
      ...lostOf({ 'requests refused': refused, refused: rejected, 'too late': ignored, 'too old': expired }),
    ],
    lastError,
    bad: [],
  };
}

function healthOf(silentSeconds: number | undefined): SourceCard['health'] {
  if (silentSeconds === undefined) return 'poor';
  return silentSeconds < QUIET_SECONDS ? 'good' : 'quiet';
}

function flowOf({ pointsPerSecond, lagSeconds, counts }: Source | Collector): Figure[] {
  const { stored = counts.written ?? 0, filtered = 0 } = counts;
  return [
    { label: 'points a second', text: pointsPerSecond.toFixed(1) },
    { label: 'lag', text: lagSeconds === undefined ? 'none yet' : `${lagSeconds.toFixed(1)} s` },
    { label: 'stored', text: count(stored) },
    { label: 'filtered', text: count(filtered) },
  ];
}

/** Only what there is of it, but for `refused`, which is always told. */
function lostOf(counts: Readonly<Record<string, number>>): Figure[] {
  return Object.entries(counts).flatMap(([label, number]) =>
    number > 0 || label === 'refused' ? [{ label, text: count(number), isBad: number > 0 }] : [],
  );
}

function spanText(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS) return `${Math.floor(seconds)} s`;
  if (seconds < 2 * HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} min`;
  return `${Math.floor(seconds / HOUR_SECONDS)} h`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
