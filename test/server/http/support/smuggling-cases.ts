// Requests that a proxy may read in another way than we do: the second one in each must never run.

/** Requests by title, each followed by `second`, a whole request, or holding it. `host` is a Host that is taken. */
export function smugglingCases(host: string, second: string): (readonly [title: string, text: string])[] {
  return [
    [
      'two lengths that differ',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${second.length}\r\nContent-Length: 0\r\n\r\n${second}`,
    ],
    [
      'two lengths, the other way',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
    ],
    ['an empty length', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length:\r\n\r\n${second}`],
    ['a blank length', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length:  \r\n\r\n${second}`],
    ['a signed length', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: +0\r\n\r\n${second}`],
    ['a list of lengths', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0, 0\r\n\r\n${second}`],
    ['a hexadecimal length', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0x0\r\n\r\n${second}`],
    ['a huge length', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 18446744073709551616\r\n\r\n${second}`],
    [
      'a blank before the colon of the length',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length : ${second.length}\r\n\r\n${second}`,
    ],
    [
      'an encoding that ends in chunked',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'an encoding that begins with chunked',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunkedx\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'a list of encodings',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'an encoding in quotes',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'two encodings',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'length and encoding',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'encoding and length',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'length and a strange encoding',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nTransfer-Encoding: x\r\n\r\n${second}`,
    ],
    [
      'a tab before the encoding',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${second}`,
    ],
    [
      'an encoding on a folded line',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${second}`,
    ],
    ['a line that ends in LF only', `POST / HTTP/1.1\r\nHost: ${host}\nContent-Length: 0\r\n\r\n${second}`],
    ['two Hosts', `POST / HTTP/1.1\r\nHost: ${host}\r\nHost: b\r\nContent-Length: 0\r\n\r\n${second}`],
    ['no Host', `POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n${second}`],
    ['a zero byte in a header', `POST / HTTP/1.1\r\nHost: ${host}\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n${second}`],
    ['a header without a colon', `POST / HTTP/1.1\r\nHost: ${host}\r\nX\r\nContent-Length: 0\r\n\r\n${second}`],
    ['a target that is not a path', `POST *b/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n${second}`],
    [
      'a chunk size that is not one',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${second}`,
    ],
    [
      'a negative chunk size',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${second}`,
    ],
  ];
}
