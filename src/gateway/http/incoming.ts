// One request on its way through the gateway: its target, id and address, and the results of the
// steps so far, which its answer needs.
import type { Server } from 'bun';
import { Problem } from '../../contract/problem.ts';
import type { IpRanges } from '../../identity/ip.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Passed } from '../limits/limits.ts';
import { callerAddress, comesFromInside, peerAddress } from './caller-address.ts';
import type { Match } from './router.ts';

/** The part of the HTTP server that a request needs. */
export type ServerHandle = Pick<Server<Connection>, 'requestIP' | 'upgrade'>;

/**
 * A name, IPv4, or IPv6 in brackets, and a port. The runtime joins several Host headers with a
 * comma.
 */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export class Incoming {
  readonly startedAt = performance.now();
  readonly request: Request;
  readonly server: ServerHandle;
  readonly requestId: string;
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** The route, once it is found. */
  match: Match | null = null;
  /** The state of the tightest limit that the request has passed. */
  passed: Passed | null = null;
  readonly #trustedProxies: IpRanges;
  #address: string | null = null;

  constructor(request: Request, server: ServerHandle, requestId: string, trustedProxies: IpRanges) {
    this.request = request;
    this.server = server;
    this.requestId = requestId;
    this.#trustedProxies = trustedProxies;
    // Bun resolves the target as browsers do: `\` is `/`, and the segments `.` and `..` are
    // removed, also as `%2e`. Without a usable Host header, the URL is only path and query.
    const { url } = request;
    const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
    const mark = url.indexOf('?', start);
    this.path = mark < 0 ? url.slice(start) : url.slice(start, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  /** HTTP/1.0 may omit the header; the runtime refuses HTTP/1.1 without it. */
  get hasValidHost(): boolean {
    const host = this.request.headers.get('host');
    return host === null || HOST.test(host);
  }

  /** Throws Problem invalidHeader. */
  requireHost(): void {
    if (this.hasValidHost) return;
    throw new Problem('invalidHeader', {
      userMsg: 'Invalid header: Host. Send it once, as a host with or without a port.',
      details: { field: 'Host', rule: 'pattern' },
      headers: { Connection: 'close' },
    });
  }

  /** The caller's address. A function value, since a call passes it on; few calls need it. */
  readonly ip = (): string => {
    this.#address ??= callerAddress(this.#peer, this.request.headers, this.#trustedProxies);
    return this.#address;
  };

  /** Whether the caller and every hop are in these networks. */
  isFrom(networks: IpRanges): boolean {
    return comesFromInside(this.#peer, this.request.headers, this.#trustedProxies, networks);
  }

  get #peer(): string {
    return peerAddress(this.server.requestIP(this.request)?.address);
  }
}
