// Steps that many cases share: writing, reading, and what every successful write and every problem must look like.

import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpAnswer } from '../support/http-client.ts';
import type { MultiReadAnswer, ProblemAnswer, TagAnswer, TagDataAnswer, TagListAnswer, Tvq } from './answers.ts';
import type { CaseContext } from './case-context.ts';

/** Time of the first point of most cases. */
export const BASE_MS = Date.UTC(2024, 2, 1);
/** A range that holds every time there is. */
export const ALL = 'start=0001-01-01T00:00:00Z&end=9999-12-31T23:59:59.9999999Z';
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** How far apart the clocks of the server and of its client may seem on a busy machine. */
export const CLOCK_LEEWAY_MS = 60_000;

/** The time stamp that many seconds after the base, as answers have it. */
export function at(seconds: number): string {
  return new Date(BASE_MS + seconds * 1000).toISOString();
}

export function point(seconds: number, value: unknown, quality = 192): Tvq {
  return { t: at(seconds), v: value, q: quality };
}

/** A time stamp relative to this machine's clock, which is the server's, too. */
export function fromNow(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

export function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

export function dataPath(tag: string): string {
  return `/data/${encodeURIComponent(tag)}`;
}

/** `200` with nothing in the body. */
export function assertDone(answer: HttpAnswer): HttpAnswer {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.bytes.length, 0, `the body of a success is empty, got ${answer.text}`);
  return answer;
}

export function assertStatus(answer: HttpAnswer, status: number): HttpAnswer {
  assert.equal(answer.status, status, answer.text.slice(0, 500));
  return answer;
}

/** A problem document with all its members; gives it. */
export function assertProblem(answer: HttpAnswer, status: number): ProblemAnswer {
  assertStatus(answer, status);
  assert.match(answer.header('content-type') ?? '', /^application\/problem\+json/);
  const problem = answer.json<ProblemAnswer>();
  for (const member of ['type', 'title', 'detail', 'instance'] as const)
    assert.equal(typeof problem[member], 'string', `${member} in ${answer.text}`);
  assert.equal(problem.status, status);
  return problem;
}

/** A `400` whose faults are at these JSON pointers, in this order. */
export function assertFaults(answer: HttpAnswer, pointers: readonly string[]): void {
  const problem = assertProblem(answer, 400);
  assert.deepEqual(
    problem.errors?.map(({ path }) => path),
    pointers,
    answer.text,
  );
  for (const { message } of problem.errors ?? []) assert.ok(message.length > 0);
}

/** Writes points of one tag, all of which the server must take. */
export async function write(
  c: CaseContext,
  tag: string,
  points: readonly unknown[],
  headers: OutgoingHttpHeaders = {},
): Promise<HttpAnswer> {
  return assertDone(await c.post(dataPath(tag), points, headers));
}

export async function defineTag(c: CaseContext, tag: TagAnswer): Promise<void> {
  assertDone(await c.post('/tags', [tag]));
}

export async function createDataset(c: CaseContext): Promise<void> {
  assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 0, ps: 0 }), 201);
}

/** One tag's entry of a multi-tag read. */
export async function readEntry(c: CaseContext, tag: string, query = ALL): Promise<TagDataAnswer> {
  const [entry] = (await readTags(c, [tag], query)).tl;
  assert.ok(entry !== undefined, 'an entry for the tag');
  return entry;
}

export async function readTags(c: CaseContext, tags: readonly string[], query = ALL): Promise<MultiReadAnswer> {
  const answer = await c.get(`/data?${tagQuery(tags)}&${query}`);
  assertStatus(answer, 200);
  return answer.json<MultiReadAnswer>();
}

export function tagQuery(tags: readonly string[]): string {
  return tags.map((tag) => `tagname=${encodeURIComponent(tag)}`).join('&');
}

export async function readValues(c: CaseContext, tag: string, query = ALL): Promise<unknown[]> {
  return (await readEntry(c, tag, query)).d.map(({ v }) => v);
}

/** Values with every digit as it was sent: numbers are `#<digits>`, texts are themselves. */
export async function readDigits(c: CaseContext, tag: string, query = ALL): Promise<unknown[]> {
  const answer = assertStatus(await c.get(`/data?${tagQuery([tag])}&${query}`), 200);
  return answer.exactJson<MultiReadAnswer>().tl[0]?.d.map(({ v }) => v) ?? [];
}

export async function readTag(c: CaseContext, tag: string): Promise<TagAnswer> {
  return assertStatus(await c.get(tagPath(tag)), 200).json<TagAnswer>();
}

export async function listTags(c: CaseContext, query = ''): Promise<TagListAnswer> {
  return assertStatus(await c.get(`/tags${query}`), 200).json<TagListAnswer>();
}

export async function userTagNames(c: CaseContext, query = ''): Promise<string[]> {
  return (await listTags(c, query)).User.map(({ n }) => n);
}

/** Counts of a write by the receipt's headers; absent is 0. */
export function receiptOf(answer: HttpAnswer): {
  written: number;
  ignored: number;
  repeated: number;
  rejected: number;
  expired: number;
} {
  const count = (name: string): number => Number(answer.header(`historian-${name}`) ?? 0);
  return {
    written: count('written'),
    ignored: count('ignored'),
    repeated: count('repeated'),
    rejected: count('rejected'),
    expired: count('expired'),
  };
}

/** Asks again every 200 ms until `find` gives a result; throws after `limitMs`. */
export async function eventually<T>(what: string, limitMs: number, find: () => Promise<T | undefined>): Promise<T> {
  const deadlineMs = Date.now() + limitMs;
  for (;;) {
    const result = await find();
    if (result !== undefined) return result;
    if (Date.now() > deadlineMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(200);
  }
}
