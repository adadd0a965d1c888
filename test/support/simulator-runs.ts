// Runs of the simulator inside the test process: with a clock that stands, a folder of their own, and the possibility to
// be cut off like a killed process at any point.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatorArguments } from '../../simulator/arguments.ts';
import type { ProgressDisplay } from '../../simulator/progress.ts';
import { runSimulator } from '../../simulator/run.ts';

export const NOW_MS = Date.UTC(2024, 4, 8, 12);

export interface TestRun {
  readonly folder: string;
  readonly configuration: unknown;
  readonly options?: Partial<SimulatorArguments>;
  readonly signal?: AbortSignal;
  /** Gets the log's lines as they come. */
  readonly progress?: LogKeeper;
}

/** Keeps the log's lines. */
export class LogKeeper implements ProgressDisplay {
  readonly lines: string[] = [];

  log(line: string): void {
    this.lines.push(line);
  }

  start(): void {}

  finish(): void {}
}

/** Runs to the end; resolves to the lines of the log. */
export async function simulate({
  folder,
  configuration,
  options,
  signal,
  progress = new LogKeeper(),
}: TestRun): Promise<string[]> {
  const config = join(folder, 'plant.json');
  writeFileSync(config, JSON.stringify(configuration));
  await runSimulator({
    config,
    dataset: 'Plant',
    url: new URL('http://127.0.0.1:4511'),
    token: undefined,
    seed: 7,
    nowMs: NOW_MS,
    out: undefined,
    state: join(folder, 'state'),
    mode: 'once',
    progress,
    signal: signal ?? new AbortController().signal,
    ...options,
  });
  return progress.lines;
}

/** A plant of every kind of entry and type, with random steps and durations; a day of it is some 20,000 points. */
export function mixedPlant(backfillDays: number): Record<string, unknown> {
  return {
    Settings: {
      Backfill: backfillDays,
      Sequences: {
        Mixer: {
          map: [
            { name: 'No', data: '1-3' },
            { name: 'Area', data: 'North, South' },
          ],
          steps: [
            { value: '0', duration: 'random(2.5, 30)' },
            { value: '1', duration: 'random(5, 20)' },
            { value: 'random(2, 4)', duration: '7.5' },
          ],
          tags: [
            {
              name: 'MX[No, 00].Total',
              values: ['integrate(MX[No, 00].Flow, minute, true)', 'integrate(MX[No, 00].Flow, minute)'],
            },
            { name: 'MX[No, 00].Flow', uom: { 1: 'l/min' }, values: ['0', 'ramp(20, 80, 2)', 'flat(15, 80, 4)'] },
            { name: 'MX[No, 00].State', type: 'System.Int32', uom: { 0: 'Off', 1: 'On' }, values: ['step'] },
            { name: 'MX[No, 00].On', type: 'System.Boolean', values: ['0', '1'] },
            {
              name: 'MX[No, 00].Batch',
              type: 'System.String',
              values: ['null', '[Area]-[Step Date, yyMMddHHmm]', 'previous'],
            },
            { name: 'MX[No, 00].Weight', type: 'System.Single', values: ['previous', 'random(100.0, 200.0)', 'null'] },
          ],
        },
        Shift: {
          map: [{ name: 'Site', data: 'Mill' }],
          steps: [1, 2, 3].map((value) => ({ value: String(value), duration: '480' })),
          tags: [
            { name: '[Site].Shift', type: 'System.Byte', values: ['step'] },
            {
              name: '[Site].Power',
              type: 'System.Decimal',
              values: ['flat(60, 250, 25)', 'flat(45.5, 180, 20)', 'ramp(30, 90, 5)'],
            },
            { name: '[Site].Energy', values: ['integrate([Site].Power, hour)'] },
          ],
        },
      },
    },
  };
}
