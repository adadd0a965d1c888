// Small bodies that parsers stumble over.

/** `v` of one point, in the place of the points of one tag, with the status that it must get. */
type HostilePoints = readonly [title: string, body: string | Buffer, status: 200 | 400];

const NESTED = 100_000;

function value(text: string): string {
  return `[{"v":${text}}]`;
}

/** To the points of one tag of type Double. In this order: the first makes the tag. */
export const HOSTILE_POINTS: readonly HostilePoints[] = [
  ['a number', value('1'), 200],
  ['a number above all doubles', value('1e400'), 400],
  ['a number with a huge exponent', value('1e999999999999'), 400],
  ['a number with a tiny exponent', value('1e-999999999999'), 200],
  ['a number of 100,000 digits', value('9'.repeat(100_000)), 400],
  ['a fraction of 60,000 digits', value(`0.${'3'.repeat(60_000)}`), 200],
  ['a fraction of 100,000 digits', value(`0.${'3'.repeat(100_000)}`), 400],
  ['a number with leading zeros', value('007'), 400],
  ['NaN', value('NaN'), 400],
  ['Infinity', value('-Infinity'), 400],
  ['a hexadecimal number', value('0x10'), 400],
  ['duplicate keys in a point', '[{"v":1,"v":2,"q":192,"v":3}]', 200],
  ['900 duplicate keys in a point', `[{${'"v":1,'.repeat(900)}"v":2}]`, 200],
  ['100,000 duplicate keys in a point', `[{${'"v":1,'.repeat(100_000)}"v":2}]`, 400],
  ['a key __proto__', '[{"v":1,"__proto__":{"polluted":true}}]', 400],
  ['a key constructor', '[{"v":1,"constructor":{"prototype":{"polluted":true}}}]', 400],
  ['arrays in arrays', `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`, 400],
  ['objects in objects', `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}`, 400],
  ['arrays that never close', '['.repeat(NESTED), 400],
  ['a value nested deep', value(`${'['.repeat(NESTED)}${']'.repeat(NESTED)}`), 400],
  ['a quality above int32', '[{"v":1,"q":2147483648}]', 400],
  ['a time in the year 0', '[{"t":"0000-01-01T00:00:00Z","v":1}]', 400],
  ['30 February', '[{"t":"2024-02-30T00:00:00Z","v":1}]', 400],
  ['a time of 100,000 digits', `[{"t":"2024-01-01T00:00:00.${'1'.repeat(100_000)}Z","v":1}]`, 400],
  ['a NUL between values', Buffer.from('[{"v":1}\0]'), 400],
  ['a NUL instead of a body', Buffer.from('\0'), 400],
  ['a lone surrogate as a text', value('"\\ud800"'), 400],
  ['a byte-order mark', Buffer.from('\ufeff[{"v":1}]'), 200],
  ['UTF-16', Buffer.from('[{"v":1}]', 'utf16le'), 400],
  ['a surrogate in UTF-8', Buffer.from([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]), 400],
  ['an overlong slash', Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d]), 400],
  ['columns of different lengths', '{"t":[1,2,3],"v":[1]}', 400],
  ['columns with a hole', '{"t":[1,,3],"v":[1,2,3]}', 400],
  ['columns nested deep', `{"t":${'['.repeat(NESTED)},"v":[1]}`, 400],
];

/** To every route that takes a body: none may be answered with a fault of the server. */
export const HOSTILE_BODIES: readonly (readonly [title: string, body: string | Buffer])[] = [
  ['nothing', ''],
  ['a word', 'undefined'],
  ['a name __proto__', '{"__proto__":[{"v":1}]}'],
  ['names of prototypes', '{"constructor":[{"v":1}],"toString":[{"v":1}],"hasOwnProperty":[{"v":1}]}'],
  ['a definition with __proto__', '[{"n":"P","fl":{"__proto__":"x"},"u":{"__proto__":"x"}}]'],
  ['a polluting definition', '{"n":"Hostile","__proto__":{"polluted":true}}'],
  ['a name that is a lone surrogate', '{"\\ud800":[{"v":1}]}'],
  ['a name with NUL', '{"a\\u0000b":[{"v":1}]}'],
  ['definitions with bad names', '[{"n":"\\ud800"},{"n":"a\\u0000"},{"n":""},{"n":"."},{"n":5},{}]'],
  ['an empty name', '{"":[{"v":1}]}'],
  ['a name of a megabyte', `{"${'n'.repeat(1_000_000)}":[{"v":1}]}`],
  ['100,000 equal names', `{${'"Same":[],'.repeat(100_000)}"Same":[{"v":1}]}`],
  ['100,000 empty tags', `{${Array.from({ length: 100_000 }, (_, i) => `"E${i}":[]`).join(',')}}`],
  ['arrays in arrays', `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`],
  ['objects in objects', `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}`],
  ['commas', ','.repeat(100_000)],
  ['quotes', '"'.repeat(100_001)],
  ['backslashes', `"${'\\'.repeat(100_001)}`],
  ['a text of NULs', Buffer.alloc(100_000)],
  ['bytes that are not UTF-8', Buffer.alloc(100_000, 0xff)],
  ['numbers above all doubles', '[1e400,-1e400]'],
  ['a read of everything', '{"tagname":["*"],"start":"0001-01-01T00:00:00Z","end":"9999-12-31T23:59:59Z"}'],
  ['a read of a strange time', '{"tagname":["Big"],"relativeStart":"-99999999999999999999y"}'],
  ['a read with a strange number', '{"tagname":["Big"],"unixStart":1e308,"unixEnd":-1e308}'],
];
