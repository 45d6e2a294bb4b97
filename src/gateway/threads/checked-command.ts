// A trading command whose signature and form a gateway thread has checked, on the rest of its way:
// limits, an earlier answer, the sequencer, its answer. There is no promise for it.
import {
  TRADING_COMMANDS,
  type TradingCommand,
  type TradingName,
} from '../../contract/trading/commands.ts';
import type { AnyResult } from '../../core/outcome.ts';
import { writesOf } from '../../engine/backlog.ts';
import type { EngineError, Receipt, Receiver } from '../../engine/command-port.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import { isInWindow } from '../auth/signature.ts';
import { problemOf } from '../http/problem-of.ts';
import { type Reply, receiptOf, refuse, refuseReject } from '../http/reply.ts';
import type { Passed, RateHeaders } from '../limits/limits.ts';
import { type Asked, answerTo } from '../routes/trading/carry-out.ts';
import type { Services } from '../services.ts';

interface CheckedTerms {
  readonly key: LiveKey;
  /** When it was signed, epoch ms. */
  readonly timestamp: number;
  /** The call that it came by. */
  readonly name: TradingName;
  readonly command: TradingCommand;
  /** The command in the form of the journal. */
  readonly encoded: Uint8Array;
  readonly requestId: string;
  readonly bySymbol: boolean;
  /** How long the thread had it, ms. */
  readonly spentMs: number;
}

/** Receives the end of a command, once. */
export interface Answers {
  /** It was carried out for the first time. */
  carriedOut(result: AnyResult, seq: number, rate: RateHeaders | null): void;
  /** It was refused, or had been carried out before. */
  answered(reply: Reply<never>, rate: RateHeaders | null): void;
}

export class CheckedCommand implements Receiver, Asked {
  readonly #services: Services;
  readonly #terms: CheckedTerms;
  readonly #answers: Answers;
  readonly #startedAt = performance.now();
  #passed: Passed | null = null;
  readonly requestId: string;
  readonly bySymbol: boolean;
  readonly access: LiveKey;
  /** Answered before it gets to the sequencer. */
  readonly earlier = null;

  constructor(services: Services, terms: CheckedTerms, answers: Answers) {
    this.#services = services;
    this.#terms = terms;
    this.#answers = answers;
    this.requestId = terms.requestId;
    this.bySymbol = terms.bySymbol;
    this.access = terms.key;
  }

  /**
   * Carries it out and answers it. False: something beside the command decides, so nothing was done
   * and its request has to be served as it came.
   */
  carryOut(): boolean {
    const { engine, identity, limits, load, metrics, availability } = this.#services;
    const { key, timestamp, command, encoded, spentMs } = this.#terms;
    const now = engine.wall();
    if (key.revoked || key.isExpired(now) || !isInWindow(timestamp, now)) return false;
    if (limits.hasFailures()) return false;
    if (load.level > 0 || availability() !== 'ready') return false;
    metrics.countReceived(spentMs);
    try {
      this.#passed = limits.privateCall(
        key.apiKey,
        key.uid,
        true,
        writesOf(command),
        this.#startedAt,
      );
      identity.apiKeys.touch(key, now);
      const earlier = engine.exchange.answerOfUsed(command);
      if (earlier === null) engine.enqueue(command, this, encoded, key);
      else if (!earlier.ok && !earlier.replayed) {
        this.#end(refuseReject(this.#services, earlier.reject, null));
      } else {
        this.#settle(receiptOf(engine, earlier));
      }
    } catch (error) {
      this.reject(error);
    }
    return true;
  }

  resolve(receipt: Receipt): void {
    const { outcome, seq, work } = receipt;
    try {
      this.#services.limits.chargeWork(this.#terms.command, work);
      const isSingle = this.#terms.command.type !== 'orderBatch';
      if (isSingle && outcome.ok && !outcome.replayed) {
        this.#answers.carriedOut(outcome.result, seq, this.#count(200));
      } else {
        this.#settle(receipt);
      }
    } catch (error) {
      this.reject(error);
    }
  }

  #settle(receipt: Receipt): void {
    const reply = answerTo(
      this.#services,
      this.#terms.command,
      receipt as Receipt<TradingCommand>,
      this,
    );
    if (!(reply instanceof Promise)) this.#end(reply);
    else
      reply.then(
        (late) => this.#end(late),
        (error: unknown) => this.reject(error),
      );
  }

  reject(error: EngineError | unknown): void {
    const { log } = this.#services;
    const { requestId } = this;
    const problem = problemOf(error, (err) => log.error({ requestId, err }, 'an order failed'));
    this.#end(refuse(problem));
  }

  #end(reply: Reply<never>): void {
    this.#answers.answered(reply, this.#count(reply.status));
  }

  /** Counts the answer; returns the limit that it shows. */
  #count(status: number): RateHeaders | null {
    const { name, spentMs } = this.#terms;
    const now = performance.now();
    const ms = spentMs + now - this.#startedAt;
    this.#services.metrics.countAnswer(TRADING_COMMANDS[name].call, status, ms);
    return this.#passed?.headers(now) ?? null;
  }
}
