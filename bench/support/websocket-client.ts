// The client's side of a raw websocket, with only the parts that the load needs.

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
