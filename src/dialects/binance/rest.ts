// The REST API: one request from its bytes to its answer.
import type { ApiCall } from '../../contract/call.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import { Problem } from '../../contract/problem.ts';
import { follows } from '../../gateway/auth/arrival.ts';
import type { Incoming } from '../../gateway/http/incoming.ts';
import type { Reply } from '../../gateway/http/reply.ts';
import { readForm } from '../../gateway/http/request-body.ts';
import { corsHeaders, preflight, respond } from '../../gateway/http/response.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import { failureBody } from './binance-problem.ts';
import type { Context, Endpoint, Venue } from './endpoint.ts';
import { endpointsAt } from './endpoints.ts';
import type { Entrance } from './entrance.ts';
import { limitsOf } from './exchange-info.ts';
import { parseForms } from './parameters.ts';
import { payloadOf } from './signature.ts';

const API_KEY = 'x-mbx-apikey';
const MAX_BODY = 16 * 1024;
/** How long a relayed answer waits for this node's state. */
const REACH_MS = 1000;

const COMMON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** The limits that the answers of a kind show. */
const SHOWN = { public: ['public'], read: ['private'], write: ['private', 'order'] };
type Kind = keyof typeof SHOWN;

const kindOf = (call: ApiCall | null, apiKey: string | null): Kind =>
  call === null || call.access === 'public' || apiKey === null
    ? 'public'
    : call.write
      ? 'write'
      : 'read';

export class Rest {
  readonly #venue: Venue;
  readonly #entrance: Entrance;
  readonly #limits: ReturnType<typeof limitsOf>;
  /** A response copies its headers, so all answers of a kind share one object. */
  readonly #headers: Readonly<Record<Kind, Headers>> = {
    public: new Headers(COMMON_HEADERS),
    read: new Headers(COMMON_HEADERS),
    write: new Headers(COMMON_HEADERS),
  };

  constructor(venue: Venue, entrance: Entrance) {
    this.#venue = venue;
    this.#entrance = entrance;
    this.#limits = limitsOf(venue.services);
  }

  async serve(incoming: Incoming): Promise<Response> {
    const { request, headers: sent, path, requestId } = incoming;
    const { config, metrics, limits } = this.#venue.services;
    const cors = corsHeaders(config.corsOrigins, sent, path);
    let reply: Reply;
    let call: ApiCall | null = null;
    try {
      const found = endpointsAt(path);
      if (request.method === 'OPTIONS' && found !== undefined) {
        limits.publicCall(rateKeyOf(incoming.ip()));
        return preflight([...found.keys()], cors);
      }
      const endpoint = found?.get(request.method);
      if (endpoint === undefined) throw this.#unrouted(incoming, found?.keys());
      call = endpoint.call;
      const apiKey = incoming.headers.get(API_KEY);
      const { services } = this.#venue;
      if (follows(services) && apiKey !== null && !services.identity.apiKeys.lookup(apiKey)) {
        return await this.#relay(incoming);
      }
      reply = await this.#answer(incoming, endpoint);
    } catch (error) {
      reply = this.failed(error, requestId);
    }
    metrics.countAnswer(call, reply.status, performance.now() - incoming.startedAt);
    if (cors === null && reply.headers === null) return this.#respond(incoming, call, reply);
    const headers = { ...reply.headers };
    this.#showUsed(incoming, call, (name, value) => {
      headers[name] = value;
    });
    return respond({ reply: { ...reply, headers }, route: null, rate: null, cors, requestId });
  }

  /** Like `respond`, for the answers to programs. */
  #respond(incoming: Incoming, call: ApiCall | null, { status, body, seq }: Reply): Response {
    const apiKey = incoming.headers.get(API_KEY);
    const headers = this.#headers[kindOf(call, apiKey)];
    headers.set('X-Request-Id', incoming.requestId);
    if (seq === null) headers.delete('X-Agio-Seq');
    else headers.set('X-Agio-Seq', String(seq));
    this.#showUsed(incoming, call, (name, value) => headers.set(name, value));
    return new Response(body as string, { status, headers });
  }

  /** The answer to an error. */
  failed(error: unknown, requestId: string): Reply<never> {
    const failure = this.#entrance.failure(error, requestId);
    const { status, headers = null } = failure;
    return { status, body: failureBody(failure), seq: null, headers };
  }

  #unrouted({ ip }: Incoming, verbs: Iterable<string> | undefined): Problem {
    this.#venue.services.limits.publicCall(rateKeyOf(ip()));
    if (verbs === undefined) return new Problem('notFound');
    return new Problem('methodNotAllowed', { headers: { Allow: [...verbs].join(', ') } });
  }

  /** The leader's answer, since the key has not arrived at this node yet. */
  async #relay({ request, peer }: Incoming): Promise<Response> {
    const { cluster, engine } = this.#venue.services;
    const response = await cluster!.relay(request, peer);
    // The answer may reflect a state that this node does not have yet.
    await engine.reach(Number(response.headers.get('x-agio-seq') ?? 0), REACH_MS);
    return response;
  }

  async #answer(incoming: Incoming, endpoint: Endpoint): Promise<Reply> {
    const { request, query, ip, startedAt } = incoming;
    const { call, parameters } = endpoint;
    this.#entrance.admit(call);
    // Nearly all requests have their parameters in the query, and nothing to wait for.
    const form = request.method === 'GET' ? '' : readForm(incoming, MAX_BODY);
    const body = typeof form === 'string' ? form : await form;
    if (body !== '') this.#entrance.rejectLoginIn(query, body);
    const sent = parseForms(query, body);
    const apiKey = incoming.headers.get(API_KEY);
    const payload = payloadOf(query, body);
    const context = this.#entrance.enter({ endpoint, sent, payload, apiKey, ip });
    const read = parameters.read(sent);
    if (call.access === 'public') return this.#shared(incoming.path, endpoint, context, read);
    if (call.write) this.#venue.services.metrics.countReceived(performance.now() - startedAt);
    return this.#reply(await endpoint.handle(context, read));
  }

  /** One answer for all equal questions at the same time, except for the simplest ones. */
  #shared(path: string, endpoint: Endpoint, context: Context, read: unknown) {
    const compute = async () => this.#reply(await endpoint.handle(context, read));
    if (endpoint.parameters.fields.size === 0) return compute();
    const question = `${path}${stringify(read as JsonOut)}`;
    return this.#venue.services.sharedAnswers.answer(question, compute);
  }

  #reply(value: JsonOut): Reply {
    const { seq } = this.#venue.services.engine;
    return { status: 200, body: stringify(value), seq, headers: null };
  }

  /** X-MBX-USED-WEIGHT and X-MBX-ORDER-COUNT, as the caller's allowances stand. */
  #showUsed(
    { headers, ip }: Incoming,
    call: ApiCall | null,
    set: (header: string, used: string) => void,
  ): void {
    const { limits } = this.#venue.services;
    const apiKey = headers.get(API_KEY);
    const shown = SHOWN[kindOf(call, apiKey)];
    for (const { name, header } of this.#limits) {
      if (!shown.includes(name)) continue;
      set(header, String(limits.used(name, name === 'public' ? rateKeyOf(ip()) : apiKey!)));
    }
  }
}
