// The websockets of a gateway thread. The main thread owns what is said on them; here they are
// sent, closed, and measured.
import type { Server, ServerWebSocket, WebSocketHandler } from 'bun';
import type { BinaryReader } from '../../core/binary.ts';
import { SOCKET_TERMS } from '../../streams/limits.ts';
import { beginFrame, plainFrame } from '../relay/frames.ts';
import { Down, SocketInput, Up } from './frames.ts';
import type { Link } from './link.ts';

export interface SocketData {
  readonly id: number;
  /** Characters that the main thread has sent on it. */
  sent: number;
  reportedSent: number;
  reportedBuffered: number;
}

type Socket = ServerWebSocket<SocketData>;

export class ThreadSockets {
  readonly #link: Link;
  readonly #sockets = new Map<number, Socket>();
  /** Sockets with something new to report. */
  readonly #touched = new Set<Socket>();
  #reporting = false;
  #server: Server<SocketData> | null = null;
  readonly handlers: WebSocketHandler<SocketData>;

  constructor(link: Link) {
    this.#link = link;
    const input = (socket: Socket, form: number, data: string | Buffer): void => {
      const frame = beginFrame(Up.socketInput, socket.data.id);
      frame.byte(form);
      if (typeof data === 'string') frame.text(data);
      else frame.bytes(data);
      link.send(frame.view());
    };
    this.handlers = {
      ...SOCKET_TERMS,
      open: (socket) => {
        this.#sockets.set(socket.data.id, socket);
        link.send(plainFrame(Up.socketOpened, socket.data.id));
      },
      message: (socket, data) =>
        input(socket, typeof data === 'string' ? SocketInput.text : SocketInput.binary, data),
      ping: (socket, data) => input(socket, SocketInput.control, data),
      pong: (socket, data) => input(socket, SocketInput.control, data),
      drain: (socket) => this.#touch(socket),
      close: ({ data: { id } }) => {
        this.#sockets.delete(id);
        link.send(plainFrame(Up.socketClosed, id));
      },
    };
  }

  attach(server: Server<SocketData>): void {
    this.#server = server;
  }

  dataOf = (id: number): SocketData => ({ id, sent: 0, reportedSent: 0, reportedBuffered: 0 });

  /** The client was gone before its websocket opened. */
  neverOpened(id: number): void {
    this.#link.send(plainFrame(Up.socketClosed, id));
  }

  receive(kind: number, id: number, frame: BinaryReader): void {
    if (kind === Down.publish) {
      this.#server?.publish(frame.text(), frame.text());
      for (const socket of this.#sockets.values()) this.#touch(socket);
      return;
    }
    const socket = this.#sockets.get(id);
    if (socket === undefined) return;
    switch (kind) {
      case Down.send: {
        const text = frame.text();
        socket.data.sent += text.length;
        socket.send(text);
        this.#touch(socket);
        break;
      }
      case Down.ping:
        socket.ping();
        break;
      case Down.close:
        socket.close(frame.integer(), frame.text());
        break;
      case Down.terminate:
        socket.terminate();
        break;
      case Down.join:
        socket.subscribe(frame.text());
        break;
      case Down.leave:
        socket.unsubscribe(frame.text());
        break;
      default:
        throw new TypeError(`a frame of kind ${kind}`);
    }
  }

  #touch(socket: Socket): void {
    this.#touched.add(socket);
    if (this.#reporting) return;
    this.#reporting = true;
    setImmediate(() => {
      this.#reporting = false;
      this.#report();
    });
  }

  /** Reports how much each touched socket has sent, and how much of it waits for its client. */
  #report(): void {
    for (const socket of this.#touched) {
      const { data } = socket;
      const buffered = this.#sockets.has(data.id) ? socket.getBufferedAmount() : 0;
      if (data.sent === data.reportedSent && buffered === data.reportedBuffered) continue;
      data.reportedSent = data.sent;
      data.reportedBuffered = buffered;
      const frame = beginFrame(Up.socketSent, data.id);
      frame.integer(data.sent);
      frame.integer(buffered);
      this.#link.send(frame.view());
    }
    this.#touched.clear();
  }
}
