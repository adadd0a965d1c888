// Finds what somebody probably meant by a name that does not exist: flags, settings, keys of a body.

/** Names are compared up to here: they come from outside, and may be of any length. */
const COMPARED_LENGTH = 64;

/** The candidate with the fewest edits to `name`, when it is near enough to be a slip; undefined otherwise. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, COMPARED_LENGTH).toLowerCase();
  let nearest: string | undefined;
  let fewestEdits = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    const edits = countEdits(wanted, candidate.toLowerCase());
    if (edits < fewestEdits) {
      fewestEdits = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** ` Did you mean 'x'?`, or nothing when no candidate is near. */
export function nearestNameHint(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
}

/** Letters put in, left out, replaced, or swapped with their neighbour (optimal string alignment distance). */
function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? at(before, column - 2) + 1 : replaced;
      current.push(Math.min(replaced, swapped, at(above, column) + 1, at(current, column - 1) + 1));
    }
    before = above;
    above = current;
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
