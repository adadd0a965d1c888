// Shares the event loop among all long work of the process: together it gets one slice of time in each turn of the loop,
// however many tasks there are, and then everything else that waits runs. A turn begins with the first look at the time and
// ends when the loop has completed a round.

let startedMs: number | undefined;
let isEnding = false;
const waiting: (() => void)[] = [];

/** Whether all long work together has used `limitMs` in the current turn of the loop. */
export function isTurnOver(nowMs: number, limitMs: number): boolean {
  if (startedMs === undefined) {
    startedMs = nowMs;
    scheduleEnd();
  }
  return nowMs - startedMs >= limitMs;
}

/** Resolves in a later turn; one waiter continues in each turn, in order of arrival. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    scheduleEnd();
  });
}

function scheduleEnd(): void {
  if (isEnding) return;
  isEnding = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isEnding = false;
  startedMs = undefined;
  const resume = waiting.shift();
  if (resume === undefined) return;
  scheduleEnd();
  resume();
}
