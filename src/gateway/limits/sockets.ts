// The connections of this process in the kernel: the number of open descriptors, the peer of a
// connection, and the time since the server last sent on it. The HTTP server does not report a
// connection before its first request.
import { dlopen } from 'bun:ffi';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A connection that clients have opened. */
export interface ClientConnection {
  readonly descriptor: number;
  /** IPv4 by the address, IPv6 by its /56. */
  readonly network: string | number;
  /** ms since the server last sent something, or since the connection was opened. */
  readonly silentMs: number;
  /** Bytes that the client has received on it. */
  readonly received: number;
}

export interface Sockets {
  /** Descriptors that this process may have open. */
  readonly limit: number;
  /** Descriptors that are open now. */
  count(): number;
  /** The connection behind a descriptor; null for one that clients of `port` did not open. */
  connection(descriptor: number, port: number): ClientConnection | null;
  /** Ends a connection; the HTTP server then closes it as if the client had. */
  end(descriptor: number): void;
  /** Sets how many connections to `port` may wait to be accepted; the system drops others. */
  setBacklog(port: number, backlog: number): void;
}

const DESCRIPTORS = '/proc/self/fd';
const LIMITS = '/proc/self/limits';
/** The value in the GNU library and in musl. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

const SIGNATURES = {
  getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  listen: { args: ['i32', 'i32'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  shutdown: { args: ['i32', 'i32'], returns: 'i32' },
} as const;

const SOL_SOCKET = 1;
const SO_ACCEPTCONN = 30;
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
/** The offset of `tcpi_last_data_sent` in struct tcp_info, in ms. */
const LAST_DATA_SENT = 44;
/** `tcpi_bytes_acked`, since Linux 4.1. */
const BYTES_ACKED = 120;
const INFO_BYTES = 128;
const SHUT_RDWR = 2;
/** Descriptors to check beyond the count, since some numbers below it are free. */
const SPARE_NUMBERS = 256;
const AF_INET = 2;
const AF_INET6 = 10;
const NAME_BYTES = 28;

type Library = ReturnType<typeof dlopen<typeof SIGNATURES>>['symbols'];

/** The sockets of this process; null on a system other than Linux. */
export function openSockets(): Sockets | null {
  if (process.platform !== 'linux') return null;
  const library = libraryC();
  const limit = softLimit();
  return library === null || limit === null ? null : new LinuxSockets(library, limit);
}

function libraryC(): Library | null {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, SIGNATURES).symbols;
    } catch {
      // The next name.
    }
  }
  return null;
}

/** The runtime has raised it to the hard limit. */
function softLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

class LinuxSockets implements Sockets {
  readonly limit: number;
  readonly #library: Library;
  /** The descriptor that accepts connections; -1 before it is found. */
  #listener = -1;
  readonly #length = new Uint32Array(1);
  readonly #peer = new Uint8Array(NAME_BYTES);
  readonly #own = new Uint8Array(NAME_BYTES);
  readonly #info = new Uint8Array(INFO_BYTES);
  readonly #infoView = new DataView(this.#info.buffer);

  constructor(library: Library, limit: number) {
    this.#library = library;
    this.limit = limit;
  }

  count(): number {
    try {
      // Since Linux 6.2 the size of the directory; before, each descriptor is listed.
      return statSync(DESCRIPTORS).size || readdirSync(DESCRIPTORS).length;
    } catch {
      // Listing takes a descriptor itself.
      return this.limit;
    }
  }

  connection(descriptor: number, port: number): ClientConnection | null {
    const length = this.#length;
    length[0] = NAME_BYTES;
    if (this.#library.getpeername(descriptor, this.#peer, length) !== 0) return null;
    if (!this.#isOn(descriptor, port)) return null;
    const network = networkOf(this.#peer);
    length[0] = INFO_BYTES;
    const failed = this.#library.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, this.#info, length);
    if (network === null || failed !== 0) return null;
    const silentMs = this.#infoView.getUint32(LAST_DATA_SENT, true);
    return { descriptor, network, silentMs, received: this.#received() };
  }

  #received(): number {
    const low = this.#infoView.getUint32(BYTES_ACKED, true);
    return low + this.#infoView.getUint32(BYTES_ACKED + 4, true) * 2 ** 32;
  }

  end(descriptor: number): void {
    this.#library.shutdown(descriptor, SHUT_RDWR);
  }

  setBacklog(port: number, backlog: number): void {
    const isKnown = this.#listener >= 0 && this.#listensOn(this.#listener, port);
    if (!isKnown) this.#listener = this.#findListener(port);
    if (this.#listener >= 0) this.#library.listen(this.#listener, backlog);
  }

  #findListener(port: number): number {
    const last = this.count() + SPARE_NUMBERS;
    for (let descriptor = 3; descriptor < last; descriptor++) {
      if (this.#listensOn(descriptor, port)) return descriptor;
    }
    return -1;
  }

  #listensOn(descriptor: number, port: number): boolean {
    this.#length[0] = 4;
    const { getsockopt } = this.#library;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, this.#info, this.#length) !== 0) {
      return false;
    }
    return this.#info[0] === 1 && this.#isOn(descriptor, port);
  }

  #isOn(descriptor: number, port: number): boolean {
    this.#length[0] = NAME_BYTES;
    if (this.#library.getsockname(descriptor, this.#own, this.#length) !== 0) return false;
    return this.#own[2]! * 256 + this.#own[3]! === port;
  }
}

/** The network in a `struct sockaddr`; null for a family without addresses. */
function networkOf(name: Uint8Array): string | number | null {
  const family = name[0]! + name[1]! * 256;
  const bytes = Buffer.from(name.buffer);
  if (family === AF_INET) return bytes.readUInt32BE(4);
  if (family !== AF_INET6) return null;
  const isMapped = bytes.toString('hex', 8, 20) === MAPPED;
  return isMapped ? bytes.readUInt32BE(20) : bytes.toString('hex', 8, 15);
}

const MAPPED = '00000000000000000000ffff';
