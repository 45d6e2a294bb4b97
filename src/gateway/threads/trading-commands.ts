// The trading calls that a gateway thread checks itself: signature and form. It refuses nothing: a
// request with a fault, or with an unusual header, goes to the main thread as it came, so each
// refusal is made in one place.
import { type JsonOut, stringify } from '../../contract/json.ts';
import { parseBody } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import {
  type SingleCommand,
  TRADING_COMMANDS,
  TRADING_NAMES,
  type TradingCommand,
  type TradingName,
} from '../../contract/trading/commands.ts';
import {
  type ListedInstrument,
  type ListedInstruments,
  namesSymbol,
} from '../../contract/trading/orders.ts';
import type { BinaryReader } from '../../core/binary.ts';
import { BoundedMap } from '../../identity/bounded-map.ts';
import { SigningKey } from '../../identity/live-key.ts';
import { verifySignature } from '../auth/signature.ts';
import { idempotencyTag } from '../http/call.ts';
import { isValidHost } from '../http/incoming.ts';
import type { Answer } from '../http/response.ts';
import { type KeyCaller, MAX_TAUGHT, type TaughtKey } from './control.ts';
import { readResult } from './frames.ts';

interface KnownKey extends KeyCaller {
  readonly apiKey: string;
  readonly signing: SigningKey;
}

export type CommandAnswer = Pick<Answer, 'reply' | 'rate'>;

export interface ReadCommand {
  readonly name: TradingName;
  readonly apiKey: string;
  readonly keyId: number;
  /** When it was signed, epoch ms. */
  readonly timestamp: number;
  readonly command: TradingCommand;
  /** The request named its instrument by the symbol. */
  readonly bySymbol: boolean;
}

type Write = (listed: ListedInstruments, command: SingleCommand, result: unknown) => JsonOut;
type Make = (listed: ListedInstruments, body: unknown, caller: unknown) => TradingCommand;

const BY_PATH: ReadonlyMap<string, TradingName> = new Map(
  TRADING_NAMES.map((name) => [TRADING_COMMANDS[name].call.path, name]),
);

/** A header that changes how a call is served, or what its answer has. */
const UNUSUAL = ['origin', 'x-agio-min-seq', 'content-encoding'] as const;

export class TradingDesk {
  readonly #keys = new BoundedMap<string, KnownKey>(MAX_TAUGHT);
  #listed: ListedInstruments = { instruments: [], instrumentNamed: () => undefined };

  learnKey({ apiKey, secret, ...caller }: TaughtKey): void {
    this.#keys.set(apiKey, { ...caller, apiKey, signing: new SigningKey(secret) });
  }

  forgetKey(apiKey: string): void {
    this.#keys.delete(apiKey);
  }

  learnInstruments(instruments: readonly (ListedInstrument | undefined)[]): void {
    const named = new Map<string, ListedInstrument>();
    for (const one of instruments) if (one !== undefined) named.set(one.symbol, one);
    this.#listed = { instruments, instrumentNamed: (symbol) => named.get(symbol) };
  }

  /** Whether a body on this path may be read as a command. */
  covers = (method: string, path: string): boolean => method === 'POST' && BY_PATH.has(path);

  /** The command of a request; null where the main thread must serve it. */
  read({ headers }: Request, path: string, body: Uint8Array): ReadCommand | null {
    const apiKey = headers.get('exchange-api-key');
    const key = apiKey === null ? undefined : this.#keys.get(apiKey);
    if (key === undefined || UNUSUAL.some((name) => headers.has(name))) return null;
    if (!isValidHost(headers.get('host'))) return null;
    const signed = {
      apiKey,
      timestamp: headers.get('exchange-api-timestamp'),
      signature: headers.get('exchange-api-sign'),
      method: 'POST',
      path,
      query: '',
      body,
    };
    // The main thread checks the time: in a cluster, its wall clock is that of the database.
    const verified = verifySignature(key.signing, signed, Number(signed.timestamp));
    if (verified instanceof Problem) return null;
    const { keyId, uid, strictClOrdId, replayGuard } = key;
    const name = BY_PATH.get(path)!;
    const { call, make } = TRADING_COMMANDS[name];
    try {
      const read = call.body!.read(parseBody(body, call.bodyLimit.members), '');
      const command = (make as Make)(this.#listed, read, {
        uid,
        strictClOrdId,
        signature: replayGuard ? { keyId, ...verified } : null,
        idempotency: idempotencyTag(call, headers, { path, query: '' }, body),
      });
      const { timestamp } = verified;
      return { name, apiKey: key.apiKey, keyId, timestamp, command, bySymbol: namesSymbol(read) };
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  /** The answer to a command that the main thread has carried out, from its result. */
  answer(command: SingleCommand, frame: BinaryReader): CommandAnswer {
    const { write } = TRADING_COMMANDS[command.type];
    const { rate, seq, result } = readResult(frame, command.type);
    const body = stringify((write as Write)(this.#listed, command, result));
    return { reply: { status: 200, seq, headers: null, body }, rate };
  }
}
