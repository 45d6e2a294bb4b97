// The client's side of a raw websocket, with only the parts that the load needs.
import type { Socket } from 'bun';

export const PUBLIC = '/ws/v1/public';
export const OWN_ORDERS = '/ws/v1/private/orders';

/** A masked text frame; the mask is zero, which is a mask. */
export function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), payload]);
}

export const messageFrame = (message: object): Buffer => frameOf(JSON.stringify(message));

type Headers = Readonly<Record<string, string>>;

/** The request that opens a websocket. */
function upgradeRequest(path: string, headers: Headers = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `GET ${path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
    `${lines.join('')}\r\n`
  );
}

/** A message is the bytes `from` to `to`, which are valid during the call. */
type MessageListener = (bytes: Buffer, from: number, to: number) => void;

/** Opens a websocket; resolves when it is open, on a private path when it has logged in. */
export function openSocket(
  port: number,
  path: string,
  headers: Headers = {},
  receive: MessageListener = () => undefined,
  onClose: (error: Error) => void = () => undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let isLoggedIn = path === PUBLIC;
    let rest: Buffer = Buffer.alloc(0);
    const data = (socket: Socket, chunk: Buffer): void => {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0) return;
        isOpen = true;
        socket.setNoDelay(true);
        if (isLoggedIn) resolve(socket);
        bytes = bytes.subarray(end + 4);
      }
      rest = readFrames(bytes, (from, to) => {
        if (isLoggedIn) receive(bytes, from, to);
        else if (bytes.includes('"loggedIn"', from)) {
          isLoggedIn = true;
          resolve(socket);
        }
      });
    };
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(upgradeRequest(path, headers)),
        data,
        close: () => {
          const closed = new Error('the server has closed a websocket');
          // Has no effect once it is open.
          reject(closed);
          onClose(closed);
        },
        error: (_, error) => reject(error),
      },
    }).catch(reject);
  });
}

/** Finds the whole frames; returns a copy of the rest. */
function readFrames(bytes: Buffer, receive: (from: number, to: number) => void): Buffer {
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1] & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length - at < head) break;
    const from = at + head;
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    if (bytes.length - from < length) break;
    receive(from, from + length);
    at = from + length;
  }
  return Buffer.from(bytes.subarray(at));
}
