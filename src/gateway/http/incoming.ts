// One request on its way through the gateway: its target, id and address, and the results of the
// steps so far, which its answer needs.
import type { Server } from 'bun';
import { Problem } from '../../contract/problem.ts';
import type { IpRanges } from '../../identity/ip.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Allowance } from '../limits/limits.ts';
import { callerAddress, comesFromInside, peerAddress } from './caller-address.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { Match } from './router.ts';

/** The part of the HTTP server that a request needs. */
export type ServerHandle = Pick<Server<Connection>, 'requestIP' | 'upgrade'>;

/** Answers a request; resolves to undefined where it became a websocket. */
export type Serve = (request: Request, server: ServerHandle) => Promise<Response | undefined>;

/**
 * A name, IPv4, or IPv6 in brackets, and a port. The runtime joins several Host headers with a
 * comma.
 */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The X-Request-Id that the answer repeats; null where the server has to give one. */
function sentRequestId(headers: RequestHeaders): string | null {
  const sent = headers.get('x-request-id');
  return sent !== null && REQUEST_ID.test(sent) ? sent : null;
}

/**
 * The terms of the HTTP server. request-body.ts bounds bodies, since Bun's rejection has no body.
 */
export const SERVER_TERMS = {
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  idleTimeout: 75,
} as const;

export class Incoming {
  readonly startedAt = performance.now();
  readonly request: Request;
  readonly headers: RequestHeaders;
  readonly server: ServerHandle;
  readonly requestId: string;
  readonly hasValidHost: boolean;
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** The route, once it is found. */
  match: Match | null = null;
  /** The session that authenticates it; null for none, or before it is found. */
  session: Session | null = null;
  /** The state of the tightest limit that the request has passed. */
  passed: Allowance | null = null;
  readonly #trustedProxies: IpRanges;
  #address: string | null = null;

  /** `nextId` makes the id of a request that has none. */
  constructor(
    request: Request,
    server: ServerHandle,
    nextId: () => string,
    trustedProxies: IpRanges,
  ) {
    this.request = request;
    this.headers = request.headers;
    this.server = server;
    this.requestId = sentRequestId(this.headers) ?? nextId();
    this.hasValidHost = isValidHost(this.headers.get('host'));
    this.#trustedProxies = trustedProxies;
    const { path, query } = targetOf(request.url);
    this.path = path;
    this.query = query;
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
    this.#address ??= callerAddress(this.peer, this.headers, this.#trustedProxies);
    return this.#address;
  };

  /** True if the caller and every hop are in these networks. */
  isFrom(networks: IpRanges): boolean {
    return comesFromInside(this.peer, this.headers, this.#trustedProxies, networks);
  }

  /** The address at the other end of the connection, which may be a proxy. */
  get peer(): string {
    return peerAddress(this.server.requestIP(this.request)?.address);
  }
}

/** HTTP/1.0 may omit the header; the runtime rejects HTTP/1.1 without it. */
const isValidHost = (host: string | null): boolean => host === null || HOST.test(host);

/**
 * The target of a request. Bun resolves it as browsers do: `\` is `/`, and the segments `.` and
 * `..` are removed, also as `%2e`. Without a usable Host header, the URL is only path and query.
 */
export function targetOf(url: string): { readonly path: string; readonly query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const mark = url.indexOf('?', start);
  return mark < 0
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) };
}
