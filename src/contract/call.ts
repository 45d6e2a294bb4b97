// A call of the API, described once: its path, access, request and answer.
// The gateway enforces the description (gateway/http/route.ts adds the handler). The SDK's calls,
// types and methods, OpenAPI and the tables of the docs are generated from it.
import type { AnswerValue } from './answer.ts';
import { MAX_MEMBERS } from './lossless-json.ts';
import { type ObjectField, object } from './object.ts';
import { MAX_PAGE_ROWS } from './paging.ts';
import type { RejectionName } from './rejections.ts';
import type { Answer } from './wire.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

/** The privileges of an API key, as `moduleIds` has them. */
export const Module = {
  earnRead: 1,
  earnWrite: 2,
  earlyRedemption: 3,
  enterpriseAdmin: 4,
  tradingRead: 5,
  tradingWrite: 6,
} as const;
export type ModuleId = (typeof Module)[keyof typeof Module];

/** The callers: everyone, a session, the operator; or a key with a privilege, or any session. */
type Access = 'public' | 'session' | 'operator' | { readonly module: ModuleId };

/**
 * The reaction of a client to a lost answer. `read`: ask again. `keyed`: send it again under the
 * same Idempotency-Key. `repeatable`: send it again, since a second time changes nothing more.
 * `once`: the caller has to look.
 */
type Repeat = 'read' | 'keyed' | 'repeatable' | 'once';

/** The clients of the SDK. */
export type ClientName = 'customer' | 'userCenter' | 'operator';

/** The parts of the API, in the order of the reference. */
export const AREAS = {
  marketData: {
    title: 'Market data',
    about: 'Public: instruments, books, trades, tickers, candles.',
  },
  orders: { title: 'Orders', about: 'Enter, cancel and query orders.' },
  account: { title: 'Account', about: 'Balances, fills, fees and the statement.' },
  enterprise: {
    title: 'Enterprise',
    about: 'For an admin of an enterprise: its members and its margins.',
  },
  earn: { title: 'Earn', about: 'Plans, subscriptions, interest, redemptions.' },
  userCenter: {
    title: 'User center',
    about: 'Customers: registration, login, authenticator, keys.',
  },
  operator: { title: 'Operator', about: 'Users, money, listings, plans, the system.' },
  process: { title: 'Process', about: 'Liveness, readiness and metrics.' },
} as const;
export type Area = keyof typeof AREAS;

/** How large a body may be. */
export interface BodyLimit {
  readonly bytes: number;
  /** Members of all its objects. */
  readonly members: number;
}

/** More than ten times what any call but a batch needs. */
export const USUAL_BODY: BodyLimit = { bytes: 16 * 1024, members: MAX_MEMBERS };

/** A call that still answers and has a successor. */
interface Deprecation {
  /** The first day, as YYYY-MM-DD. */
  readonly since: string;
  /** The path of the call to use instead. */
  readonly successor: string;
}

interface CallTerms {
  readonly method: Method;
  /** Exact, or with parts such as {uid}. */
  readonly path: string;
  readonly access: Access;
  /** One sentence for the reference and the SDK. */
  readonly summary: string;
  /** More sentences, where there is more to know. */
  readonly about?: string;
  readonly query?: ObjectField<unknown>;
  /** True if no field changes what the SDK's method answers, so that it has none. */
  readonly isPlainInSdk?: boolean;
  /** POST and PATCH have one, empty unless given. */
  readonly body?: ObjectField<unknown>;
  readonly answer: Answer;
  /** `application/json` unless given. */
  readonly contentTypes?: readonly string[];
  /** The size of its body; USUAL_BODY unless given. */
  readonly bodyLimit?: BodyLimit;
  /** A customer's write: its signature works once, and it may have an Idempotency-Key. */
  readonly write?: boolean;
  /** Its Idempotency-Keys are those of this path, where the same body makes the same command. */
  readonly keyedAs?: string;
  /** `read` for GET, `keyed` for writes and `once` for all others, unless given. */
  readonly repeat?: Repeat;
  /**
   * The most rows of a list that one call reads; MAX_PAGE_ROWS unless given, and null where their
   * number has no bound. Each further MAX_PAGE_ROWS rows cost the caller another call.
   */
  readonly maxRows?: number | null;
  /** Accepted however busy the server is, as a cancel has to be; a batch by its entries. */
  readonly urgent?: boolean;
  /** A session must have proved the authenticator within the last five minutes. */
  readonly stepUp?: boolean;
  /** The answer is in the envelope of the earn area, and rules of earn reject with status 200. */
  readonly envelope?: 'plain' | 'withSucc';
  readonly deprecated?: Deprecation;
  /** Its own rejections, beyond those that follow from the description (docs/reference). */
  readonly rejections?: readonly RejectionName[];
}

/** A described call; `Q`, `B` and `W` are the types of its query, its body and its answer. */
export interface ApiCall<Q = unknown, B = unknown, W = unknown> extends CallTerms {
  /** The method of the SDK's client. */
  readonly name: string;
  readonly client: ClientName;
  readonly area: Area;
  readonly query: ObjectField<Q>;
  readonly body?: ObjectField<B>;
  readonly bodyLimit: BodyLimit;
  readonly answer: Answer<W>;
  readonly write: boolean;
  readonly repeat: Repeat;
  readonly maxRows: number | null;
}

type Nothing = Readonly<Record<never, never>>;
type QueryOf<T> = T extends { readonly query: ObjectField<infer Q> } ? Q : Nothing;
type BodyOf<T> = T extends { readonly body: ObjectField<infer B> } ? B : Nothing;
type Descriptions<T extends Readonly<Record<string, CallTerms>>> = {
  readonly [K in keyof T]: ApiCall<QueryOf<T[K]>, BodyOf<T[K]>, AnswerValue<T[K]['answer']>>;
};

const NO_FIELDS = object({});

/** Describes the calls of an area by the names of their methods. */
export function calls<const T extends Readonly<Record<string, CallTerms>>>(
  client: ClientName,
  area: Area,
  table: T,
): Descriptions<T> {
  const described = Object.entries(table).map(([name, terms]): [string, ApiCall] => {
    const { method, write = false } = terms;
    const usual = method === 'GET' ? 'read' : write ? 'keyed' : 'once';
    return [
      name,
      {
        ...terms,
        name,
        client,
        area,
        write,
        bodyLimit: terms.bodyLimit ?? USUAL_BODY,
        repeat: terms.repeat ?? usual,
        maxRows: terms.maxRows === undefined ? MAX_PAGE_ROWS : terms.maxRows,
        query: terms.query ?? NO_FIELDS,
        ...(method === 'GET' ? {} : { body: terms.body ?? NO_FIELDS }),
      },
    ];
  });
  return Object.fromEntries(described) as Descriptions<T>;
}

/** The fields of the SDK's method. */
export const sdkFieldsOf = (call: ApiCall): ObjectField<unknown> =>
  call.isPlainInSdk === true ? NO_FIELDS : fieldsOf(call);

/** The fields that a client sends: most POSTs have them in the body, one has them in the query. */
export const fieldsOf = ({ query, body }: ApiCall): ObjectField<unknown> =>
  body !== undefined && body.fields.size > 0 ? body : query;
