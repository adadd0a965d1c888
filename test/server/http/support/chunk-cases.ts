// Chunked bodies as RFC 9112 (sections 7.1 and 7.2) allows and forbids them: what a server may do with each. What follows
// the body, or hides in it, is a second request.

export interface ChunkCase {
  readonly title: string;
  /** `legal`: the body, or refused; `broken`: never anything else than the body; `cut`: not all of it, never taken. */
  readonly kind: 'legal' | 'broken' | 'cut';
  /** What comes behind the head, each piece in a segment of its own. `second` hides in it where that is the case. */
  readonly pieces: readonly string[];
  /** True when `second` is in the pieces: it must not run then, on no transport. */
  readonly hidesSecond: boolean;
}

/** The body in two chunks, with a size line of its own for the first one. */
function twoChunks(body: string, sizeLine: (size: string) => string): string {
  const destroy = Math.ceil(body.length / 2);
  const [first, last] = [body.slice(0, destroy), body.slice(destroy)];
  return `${sizeLine(first.length.toString(16))}${first}\r\n${last.length.toString(16)}\r\n${last}\r\n`;
}

/** Cases with the same body and the same second request, which both must be more than ten bytes long or none. */
export function chunkCases(body: string, second: string): ChunkCase[] {
  const size = body.length.toString(16);
  const whole = `${size}\r\n${body}\r\n`;
  const end = '0\r\n\r\n';
  const legal = (title: string, ...pieces: string[]): ChunkCase => make('legal', title, pieces);
  const broken = (title: string, ...pieces: string[]): ChunkCase => make('broken', title, pieces);
  const destroy = (title: string, ...pieces: string[]): ChunkCase => make('cut', title, pieces);
  const make = (kind: ChunkCase['kind'], title: string, pieces: string[]): ChunkCase => {
    return { title, kind, pieces, hidesSecond: second !== '' && pieces.some((piece) => piece.includes(second)) };
  };
  const secondSize = second.length.toString(16);
  return [
    // Sizes
    legal('one chunk', whole + end),
    legal('two chunks', twoChunks(body, (first) => `${first}\r\n`) + end),
    legal('two chunks in pieces', ...twoChunks(body, (first) => `${first}\r\n`).split(/(?<=\r\n)/), end),
    legal('a byte at a time', ...`${whole}${end}`.split('')),
    legal('the last line in two pieces', `${whole}0\r\n`, '\r\n'),
    legal('a size with zeros in front', `000${whole}${end}`),
    legal('a last size of many zeros', `${whole}00000\r\n\r\n`),
    broken('a size in 0x', `0x${whole}${end}`),
    broken('a negative size', `-${whole}${end}`),
    broken('a signed size', `+${whole}${end}`),
    broken('a size with a letter that is no digit', `${size}h\r\n${body}\r\n${end}`),
    broken('a size of the letter g', `g\r\n${'x'.repeat(16)}\r\n${end}`),
    broken('an empty size', `\r\n${body}\r\n${end}`),
    broken('a blank before the size', ` ${whole}${end}`),
    broken('a tab before the size', `\t${whole}${end}`),
    broken('an empty line before the size', `\r\n${whole}${end}`),
    broken('a blank behind the size', `${size} \r\n${body}\r\n${end}`),
    broken('an underscore in the size', `0_${whole}${end}`),
    broken('a size of 16 digits and more', `10000000000000000${size}\r\n${body}\r\n${end}`),
    broken('a size of 2^64', `10000000000000000\r\n${body}\r\n${end}`),
    destroy('a size of 2^32 and the length', `1${size.padStart(8, '0')}\r\n${body}\r\n${end}`),
    destroy('a size that is all f', `ffffffffffffffff\r\n${body}\r\n${end}`),
    broken('a size below the data', `1\r\n${body}\r\n${end}`),
    destroy('a size above the data', `ff\r\n${body}\r\n${end}`),
    // Extensions
    legal('an extension of a letter', `${size};a\r\n${body}\r\n${end}`),
    legal('an extension of hexadecimal digits', `${size};ab=cd\r\n${body}\r\n${end}`),
    legal('an extension with a name and value', `${size};name=value\r\n${body}\r\n${end}`),
    legal('an extension in quotes', `${size};name="a;b"\r\n${body}\r\n${end}`),
    legal('an extension of the last chunk', `${whole}0;a\r\n\r\n`),
    legal('a named extension of the last chunk', `${whole}0;name=value\r\n\r\n`),
    legal('a blank before the extension', `${size} ;name=value\r\n${body}\r\n${end}`),
    legal('an extension in two pieces', `${size};na`, `me=value\r\n${body}\r\n${end}`),
    legal('extensions of both chunks', `${twoChunks(body, (first) => `${first};a=b\r\n`)}0;a\r\n\r\n`),
    broken('an extension without a name', `${size};\r\n${body}\r\n${end}`),
    broken('an extension with a line end in quotes', `${size};a="\r\n"\r\n${body}\r\n${end}`),
    broken('an extension with a bare LF', `${size};a\n${body}\r\n${end}`),
    broken('an extension with a bare CR', `${size};a\rb\r\n${body}\r\n${end}`),
    broken('an extension that hides a request', `${size};a\n${body}\r\n0\r\n\r\n${second}`),
    legal('an extension whose digits cover a request', `${whole}0;a\r\n\r\n${' '.repeat(182)}${end}${second}`),
    broken('an extension of 100 KB', `${size};${'x'.repeat(100_000)}\r\n${body}\r\n${end}`),
    // Trailers
    legal('a trailer', `${whole}0\r\nX-Sum: abc\r\n\r\n`),
    legal('a trailer in a piece of its own', `${whole}0\r\n`, 'X-Sum: abc\r\n\r\n'),
    legal('two trailers', `${whole}0\r\nX-Sum: abc\r\nX-Other: d\r\n\r\n`),
    broken('a trailer that is a request', `${whole}0\r\n${second}`),
    broken('a trailer that is a request two bytes on', `${whole}0\r\nX-${second}`),
    broken('a trailer that is a request, in a piece of its own', `${whole}0\r\n`, `X-${second}`),
    broken('a trailer without a colon', `${whole}0\r\nX\r\n\r\n`),
    broken('a trailer with a bare LF', `${whole}0\r\nX: y\n\r\n`),
    broken('two bytes that are no line end behind the last chunk', `${whole}0\r\nXX${second}`),
    // Line ends
    broken('bare LF everywhere', `${size}\n${body}\n0\n\n`),
    broken('a bare LF behind the size', `${size}\n${body}\r\n${end}`),
    broken('a bare LF behind the data', `${size}\r\n${body}\n${end}`),
    broken('a bare LF behind the last size', `${whole}0\n\r\n`),
    broken('a bare CR behind the size', `${size}\r${body}\r\n${end}`),
    broken('no line end behind the data', `${size}\r\n${body}${end}`),
    broken('two other bytes behind the data', `${size}\r\n${body}XX${end}`),
    broken('a line end twice behind the data', `${size}\r\n${body}\r\n\r\n${end}`),
    broken('a bare LF and a request', `${size}\n${body}\n0\n\n${second}`),
    broken('a size that ends before a request', `${size}\r\n${body}\n0\r\n\r\n${second}`),
    // Data that looks like framing
    legal('a request as data', `${secondSize}\r\n${second}\r\n${end}`),
    // Cut
    destroy('cut in the size', size.slice(0, 1)),
    destroy('cut behind the size', `${size}\r\n`),
    destroy('cut in the data', `${size}\r\n${body.slice(0, -1)}`),
    destroy('cut behind the data', `${size}\r\n${body}`),
    destroy('cut behind a chunk', whole),
    destroy('cut in the last size', `${whole}0`),
    destroy('cut in the extension', `${size};na`),
  ];
}
