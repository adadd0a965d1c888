// Shares the event loop between all long work of the process: together it takes one slice of time in each turn of the
// loop, however many there are that work, and then everything else that waits is done. A turn begins with the first look
// at the time and ends when the loop has come round.

let startedMs: number | undefined;
let isEnding = false;
const waiting: (() => void)[] = [];

/** Whether long work, all of it together, has taken so long in the present turn of the loop. */
export function isTurnOver(nowMs: number, limitMs: number): boolean {
  if (startedMs === undefined) {
    startedMs = nowMs;
    scheduleEnd();
  }
  return nowMs - startedMs >= limitMs;
}

/** Resolves in a later turn: in each, one of those that wait goes on, in the order in which they came. */
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
  const goOn = waiting.shift();
  if (goOn === undefined) return;
  scheduleEnd();
  goOn();
}
