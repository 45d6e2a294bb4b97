// A server of websockets that sends what a test orders, and records what clients send.
import type { Server, ServerWebSocket } from 'bun';

export type Message = Readonly<Record<string, unknown>>;

/** Websockets that send what a test orders, and record what clients send. */
export class FakeStreams implements Disposable {
  readonly server: Server<undefined>;
  readonly url: string;
  readonly received: Message[] = [];
  sockets: ServerWebSocket<undefined>[] = [];
  /** How far its clock is ahead, ms. */
  aheadMs = 0;
  /** The answers to a message. */
  answer: (message: Message) => readonly object[] = serve;

  constructor() {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, server) => {
        if (server.upgrade(request)) return undefined;
        if (!request.url.endsWith('/time')) return new Response('', { status: 400 });
        const serverTime = Date.now() + this.aheadMs;
        return Response.json({ serverTime, businessTime: serverTime });
      },
      websocket: {
        open: (socket) => void this.sockets.push(socket),
        message: (socket, text) => {
          const message = JSON.parse(String(text)) as Message;
          this.received.push(message);
          for (const reply of this.answer(message)) socket.send(JSON.stringify(reply));
        },
      },
    });
    this.url = `http://127.0.0.1:${this.server.port}`;
  }

  send(message: object): void {
    this.sockets.at(-1)!.send(JSON.stringify(message));
  }

  /** Answers the messages with orders, which it returns; null ends the connection. */
  play(answer: (message: Message) => object | null): Message[] {
    const received: Message[] = [];
    this.answer = (message) => {
      const { op, id } = message;
      if (!String(op).startsWith('order.')) return serve(message);
      received.push(message);
      const reply = answer(message);
      if (reply === null) this.sockets.at(-1)!.close(1001, 'gone');
      return reply === null ? [] : [{ op, id, ...reply }];
    };
    return received;
  }

  /** All requests to subscribe. */
  get subscribes(): Message[] {
    return this.received.filter(({ op }) => op === 'subscribe');
  }

  [Symbol.dispose](): void {
    void this.server.stop(true);
  }
}

/** Accepts every login and every subscription. */
export const serve = (message: Message): readonly object[] => {
  if (message.op === 'login') return [{ op: 'loggedIn', uid: 1 }];
  return message.op === 'subscribe' ? [subscribed(message)] : [];
};

export const subscribed = ({ id, channel }: Message) => ({ op: 'subscribed', channel, id });

/** A message's frame: its place among those of its channel. */
export const frame = (type: 'snapshot' | 'update', seq: number, prevSeq: number | null) => ({
  type,
  seq,
  prevSeq,
  transactTime: 1,
});
