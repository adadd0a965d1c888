// Ctrl-C of a command that is at work.

/** Aborted by the first signal; a second one ends the process at once. */
export function stopBySignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
