// The client's side of a raw websocket, with only the parts that the load needs.
import type { Socket } from 'bun';

/** A masked text frame; the mask is zero, which is a mask. */
export function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), payload]);
}

/** The request that opens a websocket; `headers` end with a line break each. */
export const upgradeRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
  `${headers}\r\n`;

export interface SocketListener {
  receive(payload: Buffer): void;
  fail(error: Error): void;
}

/** Opens a websocket; resolves when it is open, on a private path when it has logged in. */
export function openSocket(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  { receive, fail }: SocketListener,
): Promise<Socket> {
  const text = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  const isPrivate = text.length > 0;
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let rest: Buffer = Buffer.alloc(0);
    void Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(upgradeRequest(path, text.join(''))),
        data(socket, chunk) {
          let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
          if (!isOpen) {
            const end = data.indexOf('\r\n\r\n');
            if (end < 0) return;
            isOpen = true;
            socket.setNoDelay(true);
            if (!isPrivate) resolve(socket);
            data = data.subarray(end + 4);
          }
          rest = readFrames(data, (payload) => {
            if (payload.indexOf('"loggedIn"') >= 0) resolve(socket);
            else receive(payload);
          });
        },
        close: () => fail(new Error('the server has closed a websocket')),
        error: (_, error) => reject(error),
      },
    });
  });
}

/** Reads the whole frames; returns a copy of the rest. */
function readFrames(data: Buffer, receive: (payload: Buffer) => void): Buffer {
  let at = 0;
  while (data.length - at >= 2) {
    const short = data[at + 1]! & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (data.length - at < head) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? data.readUInt16BE(at + 2)
          : Number(data.readBigUInt64BE(at + 2));
    if (data.length - at < head + length) break;
    receive(data.subarray(at + head, at + head + length));
    at += head + length;
  }
  return Buffer.from(data.subarray(at));
}
