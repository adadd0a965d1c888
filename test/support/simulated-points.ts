// Points straight out of the generator, without files and servers: for tests of what each entry of a configuration makes.

import assert from 'node:assert/strict';
import { formatFault } from '../../simulator/config/document/faults.ts';
import type { Plant } from '../../simulator/config/model.ts';
import { parsePlant } from '../../simulator/config/plant.ts';
import { InstanceRun, type PointTaker } from '../../simulator/generate/instance-run.ts';

export interface SimulatedPoint {
  readonly timeMs: number;
  readonly value: number | string | boolean | null;
}

export const START_MS = Date.UTC(2024, 4, 1);
export const MINUTE_MS = 60_000;

/** A configuration of one sequence; parts that a test does not care about are filled in. */
export function oneSequence(parts: {
  readonly map?: unknown;
  readonly steps?: unknown;
  readonly tags: unknown;
}): Record<string, unknown> {
  const map = parts.map ?? [{ name: 'Unit', data: '1' }];
  const steps = parts.steps ?? [{ value: '0', duration: '60' }];
  return { Settings: { Sequences: { Line: { map, steps, tags: parts.tags } } } };
}

export function plantOf(configuration: unknown): Plant {
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
  const result = parsePlant(text);
  if (result.ok) return result.plant;
  throw new assert.AssertionError({ message: result.faults.map(formatFault).join('\n') });
}

/** All faults as text; fails when there are none. */
export function faultsOf(configuration: unknown): string[] {
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
  const result = parsePlant(text);
  assert.ok(!result.ok, 'a configuration with faults was accepted');
  return result.faults.map(formatFault);
}

/** Points of every tag over that many cycles, each instance from START_MS on. */
export function generatePoints(
  configuration: unknown,
  { cycles = 1, seed = 1 }: { readonly cycles?: number; readonly seed?: number } = {},
): Map<string, SimulatedPoint[]> {
  const points = new Map<string, SimulatedPoint[]>();
  for (const instance of plantOf(configuration).sequences.flatMap((sequence) => sequence.instances)) {
    const run = new InstanceRun(instance, instance.key, seed, { cycle: 0, startMs: START_MS, carries: new Map() });
    const lists = instance.tags.map((tag) => {
      const list: SimulatedPoint[] = [];
      points.set(tag.object.n, list);
      return list;
    });
    for (let i = 0; i < cycles; i++) for (const _ of run.generateCycle(collectInto(lists)));
  }
  return points;
}

export function collectInto(lists: readonly SimulatedPoint[][]): PointTaker {
  return {
    numbers: (place, column) => {
      for (let i = 0; i < column.count; i++) {
        lists[place]?.push({ timeMs: column.timesMs[i] as number, value: column.values[i] as number });
      }
    },
    json: (place, timeMs, json) => lists[place]?.push({ timeMs, value: JSON.parse(json) }),
  };
}

/** The points of one tag; fails when it has none. */
export function pointsOf(points: ReadonlyMap<string, SimulatedPoint[]>, name: string): SimulatedPoint[] {
  const list = points.get(name);
  assert.ok(list !== undefined && list.length > 0, `no points of ${name}`);
  return list;
}

export function valuesOf(points: ReadonlyMap<string, SimulatedPoint[]>, name: string): SimulatedPoint['value'][] {
  return pointsOf(points, name).map((point) => point.value);
}

export function numbersOf(points: ReadonlyMap<string, SimulatedPoint[]>, name: string): number[] {
  return valuesOf(points, name).map((value) => {
    assert.equal(typeof value, 'number');
    return value as number;
  });
}
