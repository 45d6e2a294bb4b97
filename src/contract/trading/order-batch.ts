// A batch of orders: its body, and one command of all entries. The server reads each entry as the
// call of that entry does, and a fault of one leaves the others as they are.

import type { BatchEntry, Command, OrderBatch } from '../../core/command.ts';
import type { State } from '../../core/state.ts';
import { array, isObject, notExpected, ofBody } from '../fields.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { makeCommand } from '../nearest.ts';
import { type ObjectField, object } from '../object.ts';
import { Problem } from '../problem.ts';
import { amendBody, ocoBody, readAmendment, readOco } from './order-changes.ts';
import { orderV2Body, readOrderV2 } from './order-terms.ts';
import {
  account,
  type Caller,
  callerOnly,
  cancelBody,
  MAX_BATCH,
  type TradingCaller,
  toCancelOrder,
} from './orders.ts';

interface EntryTerms<B> {
  readonly body: ObjectField<B>;
  /** The type of its fields in the SDK. */
  readonly title: string;
  /** Throws Problem. */
  read(state: State, body: B, caller: TradingCaller): BatchEntry & Caller;
}
const terms = <B>(each: EntryTerms<B>): EntryTerms<unknown> => each as EntryTerms<unknown>;

const ENTRIES: Readonly<Record<string, EntryTerms<unknown>>> = {
  place: terms({ body: orderV2Body, title: 'CreateOrderV2Request', read: readOrderV2 }),
  amend: terms({ body: amendBody, title: 'AmendOrderRequest', read: readAmendment }),
  cancel: terms({
    body: cancelBody,
    title: 'CancelOrderRequest',
    read: (_, body, caller) => toCancelOrder(body, caller),
  }),
  oco: terms({ body: ocoBody, title: 'CreateOcoRequest', read: readOco }),
};
const OPS = Object.keys(ENTRIES);

/** An entry whose fields are read later, each entry for itself. */
const ANY_ENTRY = `an object whose op is one of ${OPS.join(', ')}`;
const entry = ofBody<JsonObject>(
  ANY_ENTRY,
  (value, path) => {
    const isEntry = isObject(value) && typeof value.op === 'string';
    if (isEntry && Object.hasOwn(ENTRIES, value.op as string)) return value;
    throw notExpected(path, ANY_ENTRY, value as JsonValue, { rule: 'type' });
  },
  () => ({
    oneOf: Object.entries(ENTRIES).map(([op, { body, title }]) => {
      const { properties, required = [], ...rest } = body.toJsonSchema();
      return {
        ...rest,
        title,
        properties: { op: { const: op }, ...(properties as object) },
        required: ['op', ...(required as string[])],
      };
    }),
  }),
);

export const batchBody = object({
  account,
  orders: array(entry, { min: 1, max: MAX_BATCH, about: 'The server carries them out in order.' }),
});

/** The members of an entry that are not fields of its call. */
const envelope = object({ op: entry });

/**
 * In place of an entry with a fault: it names no order, so the core rejects it. The outcomes of a
 * batch thus keep the places of its entries, also when they are repeated for an Idempotency-Key.
 */
export class FaultyEntry implements CancelEntry {
  readonly type = 'cancelOrder';
  readonly orderId = 0;
  readonly origClOrdId = '';
  readonly clOrdId = '';

  readonly #fault: Problem;
  readonly #check: () => unknown;

  /** `check` reads the entry once more, and throws its fault with a nearest value that passes. */
  constructor(fault: Problem, check: () => unknown) {
    this.#fault = fault;
    this.#check = check;
  }

  /**
   * Why the entry could not be read. Its nearest value counts the other entries of the batch, which
   * are done by now. A keyed batch has none: its answer may be repeated in another state.
   */
  faultAfter({ idempotency }: Caller): Problem {
    if (this.#fault.nearby.length === 0) return this.#fault;
    if (idempotency !== null) return this.#fault.withoutNearest();
    try {
      this.#check();
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
    return this.#fault.withoutNearest();
  }
}
type CancelEntry = Extract<BatchEntry, { readonly type: 'cancelOrder' }>;

export function toOrderBatch(
  state: State,
  { orders }: { readonly orders: readonly JsonObject[] },
  caller: TradingCaller,
): OrderBatch {
  const entries = orders.map((sent) => {
    const { body, read } = ENTRIES[sent.op as string]!;
    const readBody = (): unknown => body.readWithEnvelope(sent, envelope);
    try {
      return entryOf(read(state, readBody(), caller));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const make = (one: object) => read(state, one, caller) as Command;
      return new FaultyEntry(error, () => makeCommand(state, readBody() as object, make));
    }
  });
  return { type: 'orderBatch', ...callerOnly(caller), entries };
}

/** The state without later instruments: a repeated batch is read as it was at first. */
export const asListedBefore = (state: State, nextSecurityId: number): State =>
  new Proxy(state, {
    get(target, name) {
      if (name === 'instruments') return target.instruments.slice(0, nextSecurityId);
      if (name === 'instrumentNamed') {
        return (symbol: string) => {
          const found = target.instrumentNamed(symbol);
          return found === undefined || found.securityId >= nextSecurityId ? undefined : found;
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The entry without the caller, who is that of the batch. */
function entryOf({
  uid: _uid,
  signature: _signature,
  idempotency: _idempotency,
  ...own
}: BatchEntry & Caller): BatchEntry {
  return own as BatchEntry;
}
