import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { PostgresConnection } from '../../bench/peers/targets/postgresql-connection.ts';

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

function rowOf(...texts: (string | null)[]): Buffer {
  const parts = texts.map((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text?.length ?? -1);
    return Buffer.concat([length, Buffer.from(text ?? '')]);
  });
  const count = Buffer.alloc(2);
  count.writeInt16BE(texts.length);
  return message('D', Buffer.concat([count, ...parts]));
}

const READY = message('Z', Buffer.from('I'));
const SIGNED_ON = Buffer.concat([message('R', Buffer.alloc(4)), message('S', Buffer.from('a\0b\0')), READY]);

/** A server that answers what it gets, in pieces of some bytes each; resolves to what came behind the start. */
async function withServer(
  answers: readonly Buffer[],
  pieceBytes: number,
  work: (connection: PostgresConnection) => Promise<void>,
): Promise<Buffer> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => {
      received.push(data);
      const answer = answers[next++];
      for (let at = 0; answer && at < answer.length; at += pieceBytes)
        socket.write(answer.subarray(at, at + pieceBytes));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const connection = await PostgresConnection.open((server.address() as AddressInfo).port, 'someone');
    await work(connection);
    connection.close();
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  return Buffer.concat(received);
}

test('rows are read however their bytes are cut', async () => {
  const answer = Buffer.concat([
    message('T', Buffer.alloc(2)),
    rowOf('1', '2.50', null),
    rowOf('10', '', '192'),
    READY,
  ]);
  for (const pieceBytes of [1, 3, 7, 1000]) {
    await withServer([SIGNED_ON, answer], pieceBytes, async (connection) => {
      assert.deepEqual(await connection.query('SELECT'), [
        ['1', '2.50', ''],
        ['10', '', '192'],
      ]);
    });
  }
});

test('an error is the words of the server, and the connection goes on', async () => {
  const failure = Buffer.concat([message('E', Buffer.from('SERROR\0Mno such table\0\0')), READY]);
  await withServer([SIGNED_ON, failure, Buffer.concat([rowOf('1'), READY])], 5, async (connection) => {
    await assert.rejects(connection.query('SELECT x'), /^Error: PostgreSQL: no such table$/);
    assert.deepEqual(await connection.query('SELECT 1'), [['1']]);
  });
});

test('a copy sends its body when the server asks for it', async () => {
  const body = Buffer.from('the rows');
  const wanted = message('G', Buffer.alloc(3));
  const received = await withServer([SIGNED_ON, wanted, READY], 1000, (connection) => connection.copyIn('COPY', body));
  const sent = Buffer.concat([message('Q', Buffer.from('COPY\0')), message('d', body), message('c', Buffer.alloc(0))]);
  assert.deepEqual(received.subarray(-sent.length), sent);
});

test('a server that refuses at the start is an error with its words', async () => {
  const refusal = message('E', Buffer.from('Mthe system is starting up\0\0'));
  const server = createServer((socket) => socket.once('data', () => socket.end(refusal)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await assert.rejects(PostgresConnection.open(port, 'someone'), /^Error: PostgreSQL: the system is starting up$/);
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(PostgresConnection.open(port, 'someone'), /ECONNREFUSED/);
});
