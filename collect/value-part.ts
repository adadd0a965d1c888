// Parts of values by path: `[3]`, `[0:9]`, `[1,2]` of arrays, `.Temperature` of structures, and steps behind each other.

export type PartStep = { readonly indexes: readonly number[] } | { readonly field: string };

export interface ValuePart {
  /** With single indexes, such as `[2].Temperature`. */
  readonly text: string;
  readonly steps: readonly PartStep[];
}

export const MOST_PARTS = 10_000;
const STEP = /\[([\d:,]+)\]|\.([^.[\]]+)/y;
const RANGE = /^(\d{1,9})(?::(\d{1,9}))?$/;

/** The parts that a text stands for, one for each element of its ranges; undefined where it is no path, or stands for too many. */
export function parseParts(text: string): readonly ValuePart[] | undefined {
  let parts: ValuePart[] = [{ text: '', steps: [] }];
  STEP.lastIndex = 0;
  let end = 0;
  for (let match = STEP.exec(text); match !== null; match = STEP.exec(text)) {
    end = STEP.lastIndex;
    const [, indexes, field = ''] = match;
    const steps = indexes === undefined ? [{ text: `.${field}`, step: { field } }] : expand(indexes);
    if (steps === undefined || parts.length * steps.length > MOST_PARTS) return undefined;
    parts = parts.flatMap((part) =>
      steps.map((next) => ({ text: part.text + next.text, steps: [...part.steps, next.step] })),
    );
  }
  return end === text.length && end > 0 ? parts : undefined;
}

interface Step {
  readonly text: string;
  readonly step: PartStep;
}

/** Every element of `1,0:2`. */
function expand(text: string): Step[] | undefined {
  let all: number[][] = [[]];
  for (const dimension of text.split(',')) {
    const [, low, high = low] = RANGE.exec(dimension) ?? [];
    const count = Number(high) - Number(low) + 1;
    if (low === undefined || count < 1 || all.length * count > MOST_PARTS) return undefined;
    const indexes = Array.from({ length: count }, (_, index) => Number(low) + index);
    all = all.flatMap((before) => indexes.map((index) => [...before, index]));
  }
  return all.map((indexes) => ({ text: `[${indexes.join(',')}]`, step: { indexes } }));
}
