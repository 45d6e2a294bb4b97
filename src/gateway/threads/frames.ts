// The frames between a gateway thread and the main thread. Each begins with its kind and a number,
// which the gateway thread has given to a request or a websocket.
import type { SingleCommand } from '../../contract/trading/commands.ts';
import type { BinaryReader, BinaryWriter } from '../../core/binary.ts';
import type { AnyResult, Results } from '../../core/outcome.ts';
import type { Reply } from '../http/reply.ts';
import type { RateHeaders } from '../limits/limits.ts';
import { beginFrame, RelayDown, RelayUp, readHeaders, writeHeaders } from '../relay/frames.ts';

/** From a gateway thread. */
export const Up = {
  ...RelayUp,
  /** A trading command whose signature and form are checked. */
  command: 2,
  socketOpened: 5,
  socketInput: 6,
  socketClosed: 7,
  /** How much a websocket has sent, and how much of it waits for its client. */
  socketSent: 8,
} as const;

/** To a gateway thread. */
export const Down = {
  ...RelayDown,
  /** To a command that was refused or repeated. */
  outcome: 2,
  /** A command is not carried out: its request has to come as it was. */
  relay: 3,
  /** The request becomes a websocket. */
  upgrade: 7,
  send: 8,
  ping: 9,
  close: 10,
  terminate: 11,
  join: 12,
  leave: 13,
  /** To all members of a topic; its number is 0. */
  publish: 14,
  /** A command was carried out: its result, of which the thread makes the answer. */
  result: 15,
} as const;

/** The input on a websocket: a message, or a ping or pong. */
export const SocketInput = { text: 0, binary: 1, control: 2 } as const;

export function textFrame(kind: number, id: number, ...texts: readonly string[]): Uint8Array {
  const frame = beginFrame(kind, id);
  for (const text of texts) frame.text(text);
  return frame.view();
}

type CommandReply = Pick<Reply, 'status' | 'seq' | 'headers'>;

export function outcomeFrame(id: number, reply: Reply, rate: RateHeaders | null): Uint8Array {
  const frame = beginFrame(Down.outcome, id);
  writeRate(frame, rate);
  frame.integer(reply.status);
  // 0 for an answer without a position.
  frame.integer(reply.seq === null ? 0 : reply.seq + 1);
  writeHeaders(frame, reply.headers === null ? [] : Object.entries(reply.headers));
  frame.text(reply.body as string);
  return frame.view();
}

export function readOutcome(frame: BinaryReader) {
  const rate = readRate(frame);
  const status = frame.integer();
  const position = frame.integer();
  const headers = readHeaders(frame);
  const reply: CommandReply & { readonly body: Uint8Array } = {
    status,
    seq: position === 0 ? null : position - 1,
    headers: headers.length === 0 ? null : Object.fromEntries(headers),
    body: frame.bytes(),
  };
  return { reply, rate };
}

/** The fields of each result that its answer needs. */
const RESULTS: { readonly [T in SingleCommand['type']]: readonly (keyof Results[T] & string)[] } = {
  placeOrder: ['orderId', 'clOrdId', 'transactTime'],
  amendOrder: ['orderId', 'clOrdId', 'requestId', 'origClOrdId', 'transactTime'],
  placeOco: ['orderId', 'stopOrderId', 'clOrdId', 'stopClOrdId', 'transactTime'],
  cancelOrder: ['orderId', 'clOrdId', 'requestId', 'origClOrdId'],
  massCancel: ['clOrdId', 'requestId'],
  cancelAllAfter: ['triggerTime', 'currentTime'],
};

const Value = { null: 0, integer: 1, text: 2 } as const;

export function resultFrame(
  id: number,
  type: SingleCommand['type'],
  { seq, result }: { readonly seq: number; readonly result: AnyResult },
  rate: RateHeaders | null,
): Uint8Array {
  const frame = beginFrame(Down.result, id);
  writeRate(frame, rate);
  frame.integer(seq);
  const values = result as unknown as Readonly<Record<string, number | string | null>>;
  for (const name of RESULTS[type]) {
    const value = values[name]!;
    if (value === null) {
      frame.byte(Value.null);
    } else if (typeof value === 'number') {
      frame.byte(Value.integer);
      frame.integer(value);
    } else {
      frame.byte(Value.text);
      frame.text(value);
    }
  }
  return frame.view();
}

export function readResult(frame: BinaryReader, type: SingleCommand['type']) {
  const rate = readRate(frame);
  const seq = frame.integer();
  const result: Record<string, number | string | null> = {};
  for (const name of RESULTS[type]) {
    const form = frame.byte();
    if (form === Value.null) result[name] = null;
    else result[name] = form === Value.integer ? frame.integer() : frame.text();
  }
  return { rate, seq, result };
}

/** The policy, empty for none, and the state. */
function writeRate(frame: BinaryWriter, rate: RateHeaders | null): void {
  frame.text(rate?.policy ?? '');
  if (rate !== null) frame.text(rate.state);
}

function readRate(frame: BinaryReader): RateHeaders | null {
  const policy = frame.text();
  return policy === '' ? null : { policy, state: frame.text() };
}
