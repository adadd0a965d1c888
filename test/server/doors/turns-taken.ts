// How often others could run while something was done: the turns of the event loop that it took.

export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(count);
  function count(): void {
    turns++;
    next = setImmediate(count);
  }
  await work();
  clearImmediate(next);
  return turns;
}
