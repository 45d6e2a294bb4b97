// The REST API: one request from its bytes to its answer, by the same steps as a call of agio:
// limits, key and signature, parameters, handler.
import type { ApiCall } from '../../contract/call.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import { Problem } from '../../contract/problem.ts';
import { follows } from '../../gateway/auth/arrival.ts';
import { authenticate, type SignedCaller } from '../../gateway/auth/authenticate.ts';
import type { Incoming } from '../../gateway/http/incoming.ts';
import { problemOf } from '../../gateway/http/problem-of.ts';
import type { Reply } from '../../gateway/http/reply.ts';
import { readForm } from '../../gateway/http/request-body.ts';
import { corsHeaders, preflight, respond } from '../../gateway/http/response.ts';
import type { LimitReport } from '../../gateway/limits/limits.ts';
import { requireAvailable, shedCallsOf } from '../../gateway/limits/load.ts';
import type { Services } from '../../gateway/services.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import { failureBody, failureOf } from './binance-problem.ts';
import { Context, type Endpoint, NO_PARAMETERS, type Shared } from './endpoint.ts';
import { endpointsAt } from './endpoints.ts';
import { intervalOf, refillSeconds } from './exchange-info.ts';
import { parseForms, readSent } from './parameters.ts';
import { type BinanceSigned, payloadOf, takeSigned, verifyBinance } from './signature.ts';

const MAX_BODY = 16 * 1024;
/** How long a relayed answer waits for this node's state. */
const REACH_MS = 1000;

export const isSigned = ({ call, keyOnly }: Endpoint): boolean =>
  typeof call.access === 'object' && !keyOnly;

/** The name of a limit in headers, and its state. */
interface CountHeader {
  readonly limit: 'public' | 'private' | 'order';
  readonly name: string;
}

export class Rest {
  readonly #shared: Shared;
  readonly #services: Services;
  readonly #counts: readonly CountHeader[];
  readonly #readHeaders = new Headers(COMMON_HEADERS);
  readonly #writeHeaders = new Headers(COMMON_HEADERS);

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#services = shared.services;
    this.#counts = shared.services.limits.report().flatMap(headerOf);
  }

  async serve(incoming: Incoming): Promise<Response> {
    const { request, path, requestId } = incoming;
    const { config, metrics } = this.#services;
    const cors = corsHeaders(config.corsOrigins, request.headers, path);
    let reply: Reply;
    let call: ApiCall | null = null;
    try {
      const found = endpointsAt(path);
      if (request.method === 'OPTIONS' && found !== undefined) {
        this.#services.limits.publicCall(rateKeyOf(incoming.ip()));
        return preflight([...found.keys()], cors);
      }
      const endpoint = found?.get(request.method);
      if (endpoint === undefined) throw this.#unrouted(incoming, found?.keys());
      call = endpoint.call;
      const relayed = await this.#relayed(incoming);
      if (relayed !== null) return relayed;
      reply = await this.#answer(incoming, endpoint);
    } catch (error) {
      reply = this.failed(error, requestId);
    }
    const now = performance.now();
    metrics.countAnswer(call, reply.status, now - incoming.startedAt);
    if (cors === null && reply.headers === null) return this.#respond(incoming, call, reply);
    const headers = { ...reply.headers };
    this.#count(incoming, call, (name, value) => {
      headers[name] = value;
    });
    return respond({ reply: { ...reply, headers }, route: null, rate: null, cors, requestId });
  }

  /** As `respond`, for the answers to programs: a response copies its headers, so all share one. */
  #respond(incoming: Incoming, call: ApiCall | null, { status, body, seq }: Reply): Response {
    const headers = call?.write === true ? this.#writeHeaders : this.#readHeaders;
    headers.set('X-Request-Id', incoming.requestId);
    if (seq === null) headers.delete('X-Agio-Seq');
    else headers.set('X-Agio-Seq', String(seq));
    for (const { name } of this.#counts) headers.delete(name);
    this.#count(incoming, call, (name, value) => headers.set(name, value));
    return new Response(body as string, { status, headers });
  }

  /** The answer to an error. */
  failed(error: unknown, requestId: string): Reply<never> {
    const failure = failureOf(this.problemOf(error, requestId));
    const { status, headers = null } = failure;
    return { status, body: failureBody(failure), seq: null, headers };
  }

  problemOf(error: unknown, requestId: string): Problem {
    return problemOf(error, (err) =>
      this.#services.log.error({ requestId, err }, 'a request of the Binance API failed'),
    );
  }

  #unrouted({ ip }: Incoming, verbs: Iterable<string> | undefined): Problem {
    this.#services.limits.publicCall(rateKeyOf(ip()));
    if (verbs === undefined) return new Problem('notFound');
    return new Problem('methodNotAllowed', { headers: { Allow: [...verbs].join(', ') } });
  }

  /** The leader's answer, where the key has not arrived at this node yet. */
  async #relayed({ request, peer }: Incoming): Promise<Response | null> {
    if (!follows(this.#services)) return null;
    const apiKey = request.headers.get('x-mbx-apikey');
    const { identity, cluster, engine } = this.#services;
    if (apiKey === null || identity.apiKeys.lookup(apiKey) !== undefined) return null;
    const response = await cluster!.relay(request, peer);
    // The answer may reflect a state that this node does not have yet.
    await engine.reach(Number(response.headers.get('x-agio-seq') ?? 0), REACH_MS);
    return response;
  }

  async #answer(incoming: Incoming, endpoint: Endpoint): Promise<Reply> {
    const { request, query } = incoming;
    const { load, metrics } = this.#services;
    requireAvailable(this.#services.availability());
    if (load.level > 0) load.admit(shedCallsOf(endpoint.call));
    const isPublic = endpoint.call.access === 'public';
    if (isPublic) this.#services.limits.publicCall(rateKeyOf(incoming.ip()));
    const body = request.method === 'GET' ? '' : await readForm(request, MAX_BODY);
    const sent = parseForms(query, body);
    const apiKey = request.headers.get('x-mbx-apikey');
    if (isPublic) {
      const read = readSent(endpoint.query, sent);
      const context = new Context(this.#shared, incoming.requestId, null, null);
      return this.#shareable(incoming.path, endpoint, context, read);
    }
    const caller = isSigned(endpoint)
      ? this.authenticate(endpoint, takeSigned(sent, apiKey, payloadOf(query, body)), incoming.ip)
      : { key: this.keyOf(apiKey, endpoint, incoming.ip), signature: null };
    const context = this.contextOf(incoming.requestId, endpoint, caller);
    const read = readSent(endpoint.query, sent);
    if (endpoint.call.write) metrics.countReceived(performance.now() - incoming.startedAt);
    return this.#reply(await endpoint.handle(context, read));
  }

  /** The context of a caller; the signature of a write works once, if the key wants it. */
  contextOf(
    requestId: string,
    { call }: Endpoint,
    {
      key,
      signature,
    }: { readonly key: LiveKey; readonly signature: SignedCaller['signature'] | null },
  ): Context {
    const guarded = call.write && key.replayGuard ? signature : null;
    return new Context(this.#shared, requestId, key, guarded);
  }

  /** One answer for all equal questions at the same time, except for the simplest ones. */
  #shareable(
    path: string,
    endpoint: Endpoint,
    context: Context,
    read: unknown,
  ): Promise<Reply> | Reply {
    const compute = async () => this.#reply(await endpoint.handle(context, read));
    if (endpoint.query === NO_PARAMETERS) return compute();
    const question = `${path}${stringify(read as JsonOut)}`;
    return this.#services.sharedAnswers.answer(question, compute);
  }

  #reply(value: JsonOut): Reply {
    const { seq } = this.#services.engine;
    return { status: 200, body: stringify(value), seq, headers: null };
  }

  /** The caller of a signed request. Throws the Problems of the gateway's authenticate. */
  authenticate({ call }: Endpoint, signed: BinanceSigned, ip: () => string): SignedCaller {
    const { limits } = this.#services;
    return authenticate(this.#services, limits, call, signed, ip, verifyBinance);
  }

  /** The key of a request that needs no signature. Throws Problem. */
  keyOf(apiKey: string | null, { call }: Endpoint, ip: () => string): LiveKey {
    const { identity, limits, engine } = this.#services;
    if (apiKey === null) throw new Problem('headersMissing');
    const found = identity.apiKeys.lookup(apiKey);
    const key = found?.isExpired(engine.wall()) === false ? found : undefined;
    limits.checkFailures(rateKeyOf(ip()), apiKey, key !== undefined);
    if (key === undefined) {
      limits.countFailure(rateKeyOf(ip()), apiKey);
      throw new Problem('privilegeMissing', { userMsg: 'The API key is not valid.' });
    }
    limits.privateCall({ key, uid: key.uid }, false);
    if (!key.admits(ip())) throw new Problem('addressRejected');
    if (typeof call.access === 'object' && !key.allows(call.access.module)) {
      throw new Problem('privilegeMissing');
    }
    identity.apiKeys.touch(key, engine.wall());
    return key;
  }

  /** Sets X-MBX-USED-WEIGHT and X-MBX-ORDER-COUNT, as the caller's allowances stand. */
  #count(
    { request, ip }: Incoming,
    call: ApiCall | null,
    set: (name: string, value: string) => void,
  ): void {
    const { limits } = this.#services;
    const apiKey = request.headers.get('x-mbx-apikey');
    const isPublic = call === null || call.access === 'public' || apiKey === null;
    for (const { limit, name } of this.#counts) {
      if (limit === 'order' ? call?.write !== true : (limit === 'public') !== isPublic) continue;
      const key = limit === 'public' ? rateKeyOf(ip()) : apiKey;
      if (key !== null) set(name, String(limits.used(limit, key)));
    }
  }
}

const COMMON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

function headerOf(report: LimitReport): CountHeader[] {
  const { name, burst } = report;
  if (burst === null) return [];
  const { intervalNum, letter } = intervalOf(refillSeconds(report));
  if (name === 'order') return [{ limit: name, name: `X-MBX-ORDER-COUNT-${intervalNum}${letter}` }];
  if (name !== 'public' && name !== 'private') return [];
  return [{ limit: name, name: `X-MBX-USED-WEIGHT-${intervalNum}${letter}` }];
}
