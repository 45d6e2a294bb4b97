// The part that all clients share: a transport and the caller's credentials.
import type { CallSpec } from './call-spec.ts';
import type { Credentials } from './credentials.ts';
import type { Fields, PathParts } from './request-text.ts';
import { Transport, type TransportOptions, type WriteOptions } from './transport.ts';

export abstract class ApiClient {
  /** Carries the calls; knows the server's address and clock. */
  readonly transport: Transport;
  readonly #credentials: Credentials | null;

  constructor(options: TransportOptions, credentials: Credentials | null = null) {
    this.transport = new Transport(options);
    this.#credentials = credentials;
  }

  /**
   * The highest journal position of any answer. As `minSeq` of a read, also by another client, it
   * guarantees that the read shows every earlier write.
   */
  get lastSeq(): number {
    return this.transport.lastSeq;
  }

  protected send<T>(
    spec: CallSpec,
    fields?: Fields,
    options?: WriteOptions,
    parts?: PathParts,
  ): Promise<T> {
    return this.transport.call<T>(spec, this.#credentials, fields, options, parts);
  }

  protected sendForText(spec: CallSpec, fields?: Fields, options?: WriteOptions): Promise<string> {
    return this.transport.call<string>(spec, this.#credentials, fields, options, {}, 'text');
  }
}
