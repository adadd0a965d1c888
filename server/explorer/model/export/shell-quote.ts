// Parts of commands for a shell.

/** A text as one word, for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What curl sends a token by, which is that of the variable `VARVE_TOKEN`; empty for none. */
export function tokenHeader(hasToken: boolean): string {
  return hasToken ? '-H "Authorization: Bearer $VARVE_TOKEN" ' : '';
}
