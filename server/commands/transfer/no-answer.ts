// Why no answer came from a server, for the user.

export function noAnswerText(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ECONNREFUSED' ? 'no server listens there' : `no answer (${code ?? message})`;
}
