// Bounds on waiting.

export class TimeLimitError extends Error {}

/** Rejects with a TimeLimitError when the work takes longer than `limitMs`; whoever began the work ends it. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(`${what} took longer than ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
