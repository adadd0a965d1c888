// The code that a usual point passes, counted: the lines of the server and the engine that run again and again while W1 is
// written as TVQs and as columns, by file. V8 counts how often each part of the code runs (NODE_V8_COVERAGE); a line counts
// where one of its parts ran often enough. The server runs from its sources.
// Run: npm run bench write-path -- [--least 100] [--project <folder of another state of the project>] [--files]

import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { driveWrites } from '../client/write-driver.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { measureSources, ServerUnderTest } from '../support/server-under-test.ts';
import { buildLoad, type LoadShape, W1 } from '../workloads/write-load.ts';

const POINTS_A_TAG = 1500;
const SEED = 1;
const SHAPES: readonly LoadShape[] = [
  { ...W1, pointsATag: POINTS_A_TAG },
  { ...W1, pointsATag: POINTS_A_TAG, format: 'json-columns' },
];

/** Coverage in the form in which V8 writes it, with what Node adds. */
interface Coverage {
  readonly result: readonly ScriptCoverage[];
  readonly 'source-map-cache'?: Readonly<Record<string, { lineLengths: number[]; data: SourceMapPayload | null }>>;
}
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly CountedRange[] }[];
}
interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

const { values } = parseArgs({
  options: {
    least: { type: 'string', default: '100' },
    project: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    files: { type: 'boolean', default: false },
  },
});
const project = values.project.replace(/\/*$/, '/');
const least = Number(values.least);
/** Lines of each file of the project that have run often enough, from 0. */
const linesByFile = new Map<string, Set<number>>();

/** Each form on a server of its own: the same points once more would be repeated ones. */
async function writeCovered(folder: string, shape: LoadShape): Promise<void> {
  process.env.NODE_V8_COVERAGE = `${folder}/coverage`;
  const server = await ServerUnderTest.start(`${folder}/data`, { flags: ['--no-demo'], project });
  try {
    await driveWrites(server.url, buildLoad(shape, SEED));
    await server.stop();
  } finally {
    await server.kill();
  }
}

function readCoverage(folder: string): void {
  for (const name of readdirSync(folder)) {
    const coverage = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Coverage;
    for (const script of coverage.result) {
      const map = coverage['source-map-cache']?.[script.url];
      const path = script.url.startsWith('file:') ? fileURLToPath(script.url) : '';
      if (!map?.data || !path.startsWith(project) || path.includes('/node_modules/')) continue;
      noteLines(path.slice(project.length), script, map.lineLengths, new SourceMap(map.data));
    }
  }
}

/** A part of a line begins where the source map has an entry. */
function noteLines(file: string, script: ScriptCoverage, lineLengths: readonly number[], map: SourceMap): void {
  const lines = linesByFile.get(file) ?? new Set();
  linesByFile.set(file, lines);
  const counts = countsOf(
    script,
    lineLengths.reduce((sum, length) => sum + length + 1, 0),
  );
  let offset = 0;
  for (const [line, length] of lineLengths.entries()) {
    for (let column = 0; column < length; column++) {
      if ((counts[offset + column] as number) < least) continue;
      const entry = map.findEntry(line, column);
      if ('originalLine' in entry && entry.generatedLine === line && entry.generatedColumn === column)
        lines.add(entry.originalLine);
    }
    offset += length + 1;
  }
}

/** How often each character of a script ran: what the innermost range around it says. */
function countsOf({ functions }: ScriptCoverage, length: number): Float64Array {
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const counts = new Float64Array(length);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  return counts;
}

/** Lines with code: not empty ones, nor comments. */
function countCode(file: string, lines: ReadonlySet<number>): number {
  const source = readFileSync(project + file, 'utf8').split('\n');
  const isCode = (line: number): boolean => !/^\s*(\/\/|\/?\*|$)/.test(source[line] ?? '');
  return [...lines].filter(isCode).length;
}

measureSources();
await withTempFolder('write-path', async (folder) => {
  for (const [i, shape] of SHAPES.entries()) {
    await writeCovered(`${folder}/${i}`, shape);
    readCoverage(`${folder}/${i}/coverage`);
  }
});
const rows = [...linesByFile].map(([file, lines]) => ({ file, lines: countCode(file, lines) }));
const passed = rows.filter(({ lines }) => lines > 0).sort((a, b) => b.lines - a.lines);
if (values.files) for (const { file, lines } of passed) console.log(`${String(lines).padStart(5)}  ${file}`);
const total = passed.reduce((sum, { lines }) => sum + lines, 0);
const points = SHAPES.length * W1.tagCount * POINTS_A_TAG;
console.log(`${total} lines in ${passed.length} files ran at least ${least} times over ${points} points`);
