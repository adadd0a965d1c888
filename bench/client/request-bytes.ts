// Whole requests as bytes, made before anything is timed.

export interface RequestParts {
  readonly method: 'GET' | 'POST';
  /** Percent-encoded. */
  readonly path: string;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly accept?: string;
  readonly body?: Uint8Array;
}

export function requestBytes(parts: RequestParts): Buffer {
  const head = headText(parts);
  if (!parts.body) return Buffer.from(head);
  const bytes = Buffer.allocUnsafeSlow(head.length + parts.body.length);
  bytes.write(head, 0, 'latin1');
  bytes.set(parts.body, head.length);
  return bytes;
}

function headText({ method, path, contentType, contentEncoding, accept, body }: RequestParts): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (accept !== undefined) lines.push(`Accept: ${accept}`);
  if (contentType !== undefined) lines.push(`Content-Type: ${contentType}`);
  if (contentEncoding !== undefined) lines.push(`Content-Encoding: ${contentEncoding}`);
  if (body) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
