// The trading calls that a gateway thread checks itself: signature and form. It refuses nothing: a
// request with a fault, or with an unusual header, goes to the main thread as it came, so each
// refusal is made in one place.
import type { ApiCall } from '../../contract/call.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import { parseBody } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { TRADING_COMMANDS, type TradingCommand } from '../../contract/trading/commands.ts';
import type { ListedInstrument, ListedInstruments } from '../../contract/trading/orders.ts';
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
  readonly call: ApiCall;
  readonly apiKey: string;
  readonly keyId: number;
  readonly command: TradingCommand;
  /** The request named its instrument by the symbol. */
  readonly bySymbol: boolean;
}

type AnyTerms = (typeof TRADING_COMMANDS)[keyof typeof TRADING_COMMANDS];
type Write = (listed: ListedInstruments, command: TradingCommand, result: unknown) => JsonOut;
type Make = (listed: ListedInstruments, body: unknown, caller: unknown) => TradingCommand;

const BY_PATH: ReadonlyMap<string, AnyTerms> = new Map(
  Object.values(TRADING_COMMANDS).map((terms) => [terms.call.path, terms]),
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
    const verified = verifySignature(key.signing, signed, Date.now());
    if (verified instanceof Problem) return null;
    const { keyId, uid, strictClOrdId, replayGuard } = key;
    const { call, make } = BY_PATH.get(path)!;
    try {
      const read = call.body!.read(parseBody(body), '');
      const command = (make as Make)(this.#listed, read, {
        uid,
        strictClOrdId,
        signature: replayGuard ? { keyId, ...verified } : null,
        idempotency: idempotencyTag(headers, { path, query: '' }, body),
      });
      return {
        call,
        apiKey: key.apiKey,
        keyId,
        command,
        bySymbol: (read as { symbol?: string }).symbol !== undefined,
      };
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  /** The answer to a command that the main thread has carried out, from its result. */
  answer(command: TradingCommand, frame: BinaryReader): CommandAnswer {
    const { write } = TRADING_COMMANDS[command.type];
    const { rate, seq, result } = readResult(frame, command.type);
    const body = stringify((write as Write)(this.#listed, command, result));
    return { reply: { status: 200, seq, headers: null, body }, rate };
  }
}
