// The listeners of part `streams`: a process with many raw websockets that counts frames without
// decoding them, so one core can receive all that a server sends.
import type { Socket } from 'bun';
import { serveQuestions } from './processes.ts';
import { frameOf, upgradeRequest } from './websocket-client.ts';

export type ListenersQuestion =
  | {
      readonly type: 'open';
      readonly port: number;
      readonly path: string;
      readonly connections: number;
      /** Messages that each of them sends once it is open. */
      readonly messages: readonly string[];
    }
  | { readonly type: 'measure'; readonly seconds: number };

export interface Heard {
  /** Messages. */
  readonly perSecond: number;
  readonly open: number;
}

/** The rest of an incomplete frame. */
interface Reader {
  upgraded: boolean;
  rest: Buffer;
  /** Payload bytes of the present frame that are still to come. */
  skip: number;
}

let frames = 0;
let open = 0;

function read(reader: Reader, chunk: Buffer): void {
  let data = reader.rest.length === 0 ? chunk : Buffer.concat([reader.rest, chunk]);
  if (!reader.upgraded) {
    const end = data.indexOf('\r\n\r\n');
    if (end >= 0) {
      reader.upgraded = true;
      open++;
      data = data.subarray(end + 4);
    }
  }
  let at = 0;
  while (reader.upgraded) {
    if (reader.skip > 0) {
      const taken = Math.min(reader.skip, data.length - at);
      at += taken;
      reader.skip -= taken;
      if (reader.skip > 0) break;
    }
    if (data.length - at < 2) break;
    const short = data[at + 1]! & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (data.length - at < head) break;
    reader.skip =
      short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : data.readUInt32BE(at + 6);
    at += head;
    frames++;
  }
  reader.rest = Buffer.from(data.subarray(at));
}

const AT_ONCE = 100;
const PATIENCE_MS = 30_000;

async function connect(question: Extract<ListenersQuestion, { type: 'open' }>): Promise<number> {
  const { port, path, connections, messages } = question;
  const before = open;
  const hello = messages.map(frameOf);
  const begin = async () => {
    const reader: Reader = { upgraded: false, rest: Buffer.alloc(0), skip: 0 };
    const socket: Socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_, chunk) => {
          const was = reader.upgraded;
          read(reader, chunk);
          if (!was && reader.upgraded) for (const frame of hello) socket.write(frame);
        },
        close: () => {
          open--;
        },
      },
    });
    socket.write(upgradeRequest(path));
  };
  const deadline = performance.now() + PATIENCE_MS;
  for (let i = 0; i < connections; i += AT_ONCE) {
    const count = Math.min(AT_ONCE, connections - i);
    await Promise.all(Array.from({ length: count }, begin));
    while (open - before < i + count) {
      if (performance.now() > deadline) throw new Error(`${open - before} connections opened`);
      await Bun.sleep(1);
    }
  }
  return open;
}

async function measure(seconds: number): Promise<Heard> {
  const before = { frames, time: performance.now() };
  await Bun.sleep(seconds * 1000);
  const elapsed = (performance.now() - before.time) / 1000;
  return { perSecond: (frames - before.frames) / elapsed, open };
}

serveQuestions((question: ListenersQuestion) =>
  question.type === 'open' ? connect(question) : measure(question.seconds),
);
