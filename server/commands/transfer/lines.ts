// What commands that move points print: results on standard output, what is said of the work on standard error.

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** With commas between thousands. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}
