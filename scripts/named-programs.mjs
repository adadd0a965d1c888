// Programs that are run by their names: `npm run campaign <name>` and `npm run bench <name>`.

import { runNode } from './dependencies.mjs';

/** A line for each program. */
export function listPrograms(programs) {
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  return Object.entries(programs)
    .map(([name, [, says]]) => `  ${name.padEnd(width)}  ${says}`)
    .join('\n');
}

/** Gives the exit code. Its threads load TypeScript as well, which a process does for them only from its start on. */
export function runProgram(programs, name, words) {
  return runNode(['--import', 'tsx', programs[name][0], ...words]);
}

/** The sentence for a name that there is not. */
export function unknownProgram(kind, name, programs) {
  return `There is no ${kind} '${name}'; did you mean '${nearestName(name, Object.keys(programs))}'? --help lists them all.`;
}

export function nearestName(name, names) {
  return names.reduce((best, each) => (distance(name, each) < distance(name, best) ? each : best));
}

/** Letters to add, take away or change. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
