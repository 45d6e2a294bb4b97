// The base of a scenario's venue: customers, enterprises and coins by name, and a clock. Every
// command goes through the core and the naive model; all invariants are checked after each step.
import type { Command } from '../../src/core/command.ts';
import type { Exchange } from '../../src/core/exchange.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { State } from '../../src/core/state.ts';
import { amount } from '../../src/core/units.ts';
import { parseDecimal, SCALE } from './scenario-words.ts';

/** The core beside the model. */
interface Lockstep {
  readonly exchange: Exchange;
  readonly outcome: Outcome;
  step(timed: { readonly time: number; readonly command: Command }): void;
}

/** No asset has this id. */
const UNKNOWN = 99;

export class NamedVenue<L extends Lockstep> {
  readonly lockstep: L;
  /** By uid and by enterpriseId; place 0 is empty. */
  readonly people: string[] = [''];
  readonly enterprises: string[] = [''];
  protected time: number;

  constructor(lockstep: L, startTime: number) {
    this.lockstep = lockstep;
    this.time = startTime;
  }

  get state(): State {
    return this.lockstep.exchange.state;
  }

  apply(command: Command): Outcome {
    this.lockstep.step({ time: this.time, command });
    return this.lockstep.outcome;
  }

  must(command: Command): void {
    const outcome = this.apply(command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
  }

  /** An unknown name has a uid that nobody has. */
  uidOf(name: string): number {
    const uid = this.people.indexOf(name);
    return uid > 0 ? uid : this.people.length;
  }

  assetIdOf = (coin: string): number => this.state.assetNamed(coin)?.assetId ?? UNKNOWN;
  scaleOf = (coin: string): number => this.state.assetNamed(coin)?.scale ?? SCALE;

  /** `alice: 10 BTC, 1000 USDT`, `bob: nothing` */
  protected enrol(item: string, kyc: boolean): void {
    const [name, owns] = item.split(': ');
    this.people.push(name);
    this.must({ type: 'createUser', kyc });
    for (const money of owns === 'nothing' ? [] : owns.split(', ')) {
      const [decimal, coin] = money.split(' ');
      this.must(this.transferOf('credit', name, decimal, coin, `opening ${name} ${coin}`));
    }
  }

  protected transferOf(
    direction: 'credit' | 'debit',
    name: string,
    decimal: string,
    coin: string,
    reference: string,
  ): Command {
    const money = amount(parseDecimal(decimal, this.scaleOf(coin)));
    const [uid, assetId] = [this.uidOf(name), this.assetIdOf(coin)];
    return { type: 'transferFunds', direction, uid, assetId, amount: money, reference };
  }

  /** Creates the enterprise when it is first named. */
  protected enterpriseOf(name: string): number {
    if (!this.enterprises.includes(name)) {
      this.enterprises.push(name);
      this.must({ type: 'createEnterprise', name });
    }
    return this.enterprises.indexOf(name);
  }

  protected assign(member: string, enterprise: string, admin: boolean): void {
    const [uid, enterpriseId] = [this.uidOf(member), this.enterpriseOf(enterprise)];
    this.must({ type: 'assignEnterprise', uid, enterpriseId, admin });
  }
}
