// How a request enters, by REST or as a message, by the same steps as a call of agio: load, limits,
// key and signature.
import type { ApiCall } from '../../contract/call.ts';
import { Problem } from '../../contract/problem.ts';
import { authenticate } from '../../gateway/auth/authenticate.ts';
import { rejectLogin } from '../../gateway/auth/spend-signature.ts';
import { problemOf } from '../../gateway/http/problem-of.ts';
import { requireAvailable, shedCallsOf } from '../../gateway/limits/load.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import { type Failure, failureOf } from './binance-problem.ts';
import { Context, type Endpoint, type Venue } from './endpoint.ts';
import type { SentValues } from './parameters.ts';
import {
  payloadOf,
  readLogin,
  readTime,
  signatureIn,
  takeSigned,
  verifyBinance,
} from './signature.ts';

interface Request {
  readonly endpoint: Endpoint;
  /** The signature and its terms are taken out of it. */
  readonly sent: SentValues;
  /** The signed text. */
  readonly payload: string;
  readonly apiKey: string | null;
  ip(): string;
  /** The key of session.logon. */
  readonly session?: LiveKey | null;
}

export class Entrance {
  readonly #venue: Venue;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  get #services() {
    return this.#venue.services;
  }

  /**
   * To be called for each request that spends no signature, for any answer: a captured request must
   * not become a login.
   */
  rejectLogin(payload: string, signature: string | null): void {
    const { identity, engine } = this.#services;
    const find = (apiKey: string) => identity.apiKeys.lookup(apiKey);
    const login = readLogin(payload, signature, find, engine.wall());
    if (login !== null) rejectLogin(this.#services, login);
  }

  /** The same for a query and a form body; a login signs its key, which no call of REST does. */
  rejectLoginIn(query: string, body: string): void {
    if (!query.startsWith('apiKey=') && !body.includes('apiKey=')) return;
    this.rejectLogin(payloadOf(query, body), signatureIn(query) ?? signatureIn(body));
  }

  /** Throws Problem for a call that a busy or starting server sheds. */
  admit(call: ApiCall): void {
    const { load } = this.#services;
    requireAvailable(this.#services.availability());
    if (load.level > 0) load.admit(shedCallsOf(call));
  }

  /** The context of a request that its limits have admitted. Throws Problem. */
  enter({ endpoint, sent, payload, apiKey, ip, session = null }: Request): Context {
    const { call, keyOnly } = endpoint;
    const { limits, engine } = this.#services;
    if (call.access === 'public') {
      limits.publicCall(rateKeyOf(ip()));
      return new Context(this.#venue, ip, null);
    }
    if (keyOnly && apiKey !== null) {
      return new Context(this.#venue, ip, this.#keyOf(apiKey, call, ip));
    }
    const signed = takeSigned(sent, apiKey, payload);
    if (session !== null && signed.signature === null) {
      // A session proves each message; its login works once.
      const time = readTime(signed.timestamp, signed.recvWindow, engine.wall());
      if (time instanceof Problem && !keyOnly) throw time;
      return new Context(this.#venue, ip, this.#keyOf(session.apiKey, call, ip));
    }
    const { key, signature } = authenticate(
      this.#services,
      limits,
      call,
      signed,
      ip,
      verifyBinance,
    );
    return new Context(this.#venue, ip, key, signature);
  }

  /** The key of a request that needs no signature. Throws Problem. */
  #keyOf(apiKey: string, { access, write }: ApiCall, ip: () => string): LiveKey {
    const { identity, limits, engine } = this.#services;
    const found = identity.apiKeys.lookup(apiKey);
    const key = found?.isExpired(engine.wall()) === false ? found : undefined;
    limits.checkFailures(rateKeyOf(ip()), apiKey, key !== undefined);
    if (key === undefined) {
      limits.countFailure(rateKeyOf(ip()), apiKey);
      throw new Problem('privilegeMissing', { userMsg: 'The API key is not valid.' });
    }
    limits.privateCall({ key, uid: key.uid }, write);
    if (!key.admits(ip())) throw new Problem('addressRejected');
    if (typeof access === 'object' && !key.allows(access.module)) {
      throw new Problem('privilegeMissing');
    }
    identity.apiKeys.touch(key, engine.wall());
    return key;
  }

  /** The answer to an error. */
  failure(error: unknown, requestId: string): Failure {
    const { log } = this.#services;
    return failureOf(
      problemOf(error, (err) =>
        log.error({ requestId, err }, 'a request of the Binance API failed'),
      ),
    );
  }
}
