// A network of nodes in memory, for tests and the simulation: bytes take their time, a link can be
// cut and a node can crash. The channels on it are the real ones.
import { FramedChannel } from '../../src/cluster/link/framed-channel.ts';
import {
  type Channel,
  LinkError,
  type Listener,
  type Transport,
} from '../../src/cluster/link/transport.ts';

/** Bytes on their way from one node to another. The sender waits for more room. */
const ROOM_BYTES = 1 << 18;
/** Until a dial to a node that does not answer fails. */
const DIAL_MS = 2000;

type Accept = (channel: Channel) => void;

interface ListeningNode {
  readonly node: string;
  readonly accept: Accept;
}

export class MemoryNetwork {
  readonly #listeners = new Map<string, ListeningNode>();
  readonly #pairs = new Set<readonly [End, End]>();
  readonly #cuts = new Set<string>();

  /**
   * `delay` decides how long bytes take from one node to another, ms. `as` runs what belongs to a
   * node, so that a simulation knows whose it is.
   */
  constructor(
    readonly delay: (from: string, to: string) => number = () => 0,
    readonly as: (node: string, run: () => void) => void = (_node, run) => run(),
  ) {}

  /** The transport of one node. */
  of(node: string): Transport {
    return {
      dial: (address) => this.#dial(node, address),
      listen: (address, accept) => this.#listen(node, address, accept),
    };
  }

  /** Nothing arrives between the nodes until `heal`; neither of them notices. */
  cut(a: string, b: string): void {
    this.#cuts.add(`${a} ${b}`).add(`${b} ${a}`);
  }

  /** Delivers what waited on the channels that are still open, like TCP. */
  heal(a: string, b: string): void {
    this.#cuts.delete(`${a} ${b}`);
    this.#cuts.delete(`${b} ${a}`);
    for (const end of [...this.#pairs].flat()) this.as(end.peer, () => end.deliver());
  }

  /** The process of a node is gone: its peers lose their channels, and it hears of nothing. */
  crash(node: string): void {
    for (const [address, listener] of this.#listeners) {
      if (listener.node === node) this.#listeners.delete(address);
    }
    for (const end of [...this.#pairs].flat()) if (end.node === node) end.crash();
  }

  isCut(from: string, to: string): boolean {
    return this.#cuts.has(`${from} ${to}`);
  }

  #listen(node: string, address: string, accept: Accept): Listener {
    if (this.#listeners.has(address)) {
      throw new LinkError(`The link cannot listen on ${address}: it is taken.`);
    }
    const listener = { node, accept };
    this.#listeners.set(address, listener);
    return {
      address,
      close: () => {
        if (this.#listeners.get(address) === listener) this.#listeners.delete(address);
      },
    };
  }

  async #dial(node: string, address: string): Promise<Channel> {
    const target = this.#listeners.get(address)?.node ?? address;
    await Bun.sleep(this.delay(node, target));
    const listener = this.#listeners.get(address);
    if (listener !== undefined && this.isCut(node, listener.node)) await Bun.sleep(DIAL_MS);
    if (listener === undefined || this.isCut(node, listener.node)) {
      throw new LinkError(`The link to ${address} was not opened: no answer came.`);
    }
    const near = new End(this, node, listener.node);
    this.as(listener.node, () => {
      const far = new End(this, listener.node, node);
      near.other = far;
      far.other = near;
      for (const pair of this.#pairs) if (pair.every((end) => end.isOver)) this.#pairs.delete(pair);
      this.#pairs.add([near, far]);
      listener.accept(far.channel);
    });
    return near.channel;
  }
}

/** In place of bytes: the stream ends. */
const END = new Uint8Array(0);

/** One end of a connection: a channel, and the bytes on their way to the other end. */
class End {
  other!: End;
  readonly channel: FramedChannel;
  readonly #network: MemoryNetwork;
  #onTheWay: Uint8Array[] = [];
  #bytesOnTheWay = 0;
  /** How many of them have had their time. */
  #due = 0;
  #lastAt = 0;

  constructor(
    network: MemoryNetwork,
    readonly node: string,
    readonly peer: string,
  ) {
    this.#network = network;
    this.channel = new FramedChannel({
      peer,
      write: (bytes) => this.#write(bytes),
      end: () => this.#carry(END),
    });
  }

  get isOver(): boolean {
    return this.channel.closed !== null && this.#onTheWay.length === 0;
  }

  #write(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, ROOM_BYTES - this.#bytesOnTheWay);
    if (taken > 0) this.#carry(bytes.slice(0, taken));
    return taken;
  }

  /** Bytes never overtake earlier ones, whatever the delay. */
  #carry(bytes: Uint8Array): void {
    this.#onTheWay.push(bytes);
    this.#bytesOnTheWay += bytes.length;
    const now = performance.now();
    this.#lastAt = Math.max(this.#lastAt, now + this.#network.delay(this.node, this.peer));
    this.#network.as(this.peer, () => {
      void Bun.sleep(this.#lastAt - now).then(() => {
        this.#due++;
        this.deliver();
      });
    });
  }

  /** Hands over what has arrived. */
  deliver(): void {
    const wasFull = this.#bytesOnTheWay === ROOM_BYTES;
    while (this.#due > 0 && !this.#network.isCut(this.node, this.peer)) {
      this.#due--;
      const bytes = this.#onTheWay.shift();
      if (bytes === undefined) continue;
      this.#bytesOnTheWay -= bytes.length;
      if (bytes === END) this.other.channel.ended('the peer closed the connection');
      else this.other.channel.received(bytes);
    }
    if (!wasFull || this.#bytesOnTheWay === ROOM_BYTES) return;
    this.#network.as(this.node, () => this.channel.drained());
  }

  /** The process of this end is gone, and the system closes its connection. */
  crash(): void {
    this.channel.abandon();
    this.#onTheWay = [];
    this.#bytesOnTheWay = 0;
    this.#due = 0;
    this.#carry(END);
  }
}
