// The venue of one scenario: people and instruments by name, sentences into commands, outcomes and
// reports into sentences. Every command also goes through the naive model, and all invariants are
// checked after it.

import type { BatchEntry, Command } from '../../src/core/command.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { CustomerWrite } from '../../src/core/once.ts';
import { amount } from '../../src/core/units.ts';
import { Lockstep } from '../model/lockstep.ts';
import { BTC_USDT_TERMS, UNCHANGED_INSTRUMENT } from '../support/venue.ts';
import type { Scenario, Step, Table } from './scenario-file.ts';
import { parseEntry } from './scenario-orders.ts';
import { balanceTable, bookTable, showEvent, showOutcome, stopTable } from './scenario-report.ts';
import {
  parseDecimal,
  parseRate,
  parseSentence,
  parseSpan,
  parseTerms,
  SCALE,
  type Sentence,
} from './scenario-words.ts';

/** Terms of an instrument that a scenario does not mention. */
const USUAL_TERMS = {
  ...BTC_USDT_TERMS,
  lot: { mantissa: 1, decimals: 3 },
  minNotional: amount(0),
};
const USUAL_MARKET = 'BTC-USDT';

export class ScenarioVenue {
  readonly lockstep = new Lockstep();
  /** Names by uid; place 0 is empty. */
  readonly people: string[] = [''];
  /** Names by enterpriseId, from 1. */
  readonly #enterprises: string[] = [];
  #time = 1_700_000_000_000;
  readonly #signatures = new Map<string, number>();

  get state() {
    return this.lockstep.exchange.state;
  }

  /** Runs the scenario and returns the tables of what happened. */
  run(scenario: Scenario): Table[] {
    const markets = scenario.setup.filter((item) => /^\w+-\w+:/.test(item));
    for (const item of markets.length === 0 ? [`${USUAL_MARKET}: lot 0.001`] : markets) {
      this.#list(item);
    }
    for (const item of scenario.setup) if (!markets.includes(item)) this.#enrol(item);
    const rows = scenario.steps.flatMap((step) => this.#rowsOf(step));
    return [
      [['who', 'command', 'outcome', 'reports'], ...rows],
      ...bookTable(this),
      ...stopTable(this),
      balanceTable(this),
    ];
  }

  #apply(command: Command): void {
    this.lockstep.step({ time: this.#time, command });
  }

  /** `BTC-USDT: tick 0.01, lot 0.001` */
  #list(item: string): void {
    const [symbol, text] = item.split(': ');
    const [baseAsset, quoteAsset] = symbol.split('-');
    for (const asset of [baseAsset, quoteAsset]) {
      if (this.state.assetNamed(asset) !== undefined) continue;
      this.#apply({ type: 'createAsset', asset, scale: SCALE, fiat: false });
    }
    const terms = { ...USUAL_TERMS, ...parseTerms(text, USUAL_TERMS.lot) };
    this.#apply({ ...terms, symbol, baseAsset, quoteAsset });
  }

  /** `alice: 10 BTC, 1000 USDT` */
  #enrol(item: string): void {
    const [name, text] = item.split(': ');
    this.people.push(name);
    const uid = this.people.length - 1;
    this.#apply({ type: 'createUser', kyc: true });
    for (const money of text === 'nothing' ? [] : text.split(', ')) {
      const [n, asset] = money.split(' ');
      this.#transfer(uid, 'credit', n, asset, `opening ${name} ${asset}`);
    }
  }

  /** The outcome of a step; each further report has a row of its own. */
  #rowsOf(step: Step): string[][] {
    this.#execute(step);
    // No command, so no outcome.
    if (isDowntime(step)) return [[step.who, step.command, '', '']];
    const [first, ...others] = this.lockstep.exchange.events.map((event) => showEvent(this, event));
    const outcome = showOutcome(this, this.#uid(step.who), this.lockstep.outcome);
    const row = [step.who, step.command, outcome, first ?? ''];
    return [row, ...others.map((report) => ['', '', '', report])];
  }

  #execute({ who, command }: Step): void {
    if (who === 'operator') this.#operate(command);
    else if (who === 'clock') this.#wait(command);
    else this.#customer(this.#uid(who), parseSentence(command));
    this.lockstep.checkpoint();
  }

  #uid(name: string): number {
    const uid = this.people.indexOf(name);
    return uid > 0 ? uid : this.people.length;
  }

  /** Time passes, and what is due is done; `11 s down`: the service was down meanwhile. */
  #wait(text: string): void {
    this.#time += parseSpan(text.replace(DOWN, ''));
    if (!DOWN.test(text)) this.#apply({ type: 'runTimers' });
  }

  #operate(text: string): void {
    const [verb, name, ...rest] = text.split(' ');
    if (verb === 'credit' || verb === 'debit') {
      const [n, asset, , reference] = rest;
      this.#transfer(this.#uid(name), verb, n, asset, reference);
    } else if (verb === 'amend' && name.includes('-')) {
      const { securityId, lot } = this.market(name);
      const terms = parseTerms(rest.join(' '), lot);
      this.#apply({ ...UNCHANGED_INSTRUMENT, securityId, ...terms });
    } else if (verb === 'amend') this.#amendUser(this.#uid(name), rest);
    else if (verb === 'fee') this.#setFeeTiers(text.slice('fee tiers '.length));
    else if (verb === 'cancel') this.#cancelOrders(text.slice('cancel '.length));
    else if (verb === 'enterprise') this.#amendEnterprise(name, rest.join(' '));
    else throw new Error(`the operator cannot: ${text}`);
  }

  /** `none`, `in USDT, BTC at 50: 1000 0.05%/0.1%, 5000 0%/0.05%` */
  #setFeeTiers(text: string): void {
    if (text === 'none') {
      this.#apply({ type: 'setFeeTiers', table: null });
      return;
    }
    const [assets, tiers] = text.slice('in '.length).split(': ');
    const [volumeAsset, ...others] = assets.split(', ');
    const assetId = (name: string) => this.state.assetNamed(name)?.assetId ?? 99;
    const rates = others.map((item) => {
      const [name, , rate] = item.split(' ');
      return { assetId: assetId(name), rate: Number(parseDecimal(rate, SCALE)) };
    });
    const table = {
      volumeAssetId: assetId(volumeAsset),
      rates,
      tiers: tiers.split(', ').map((item) => {
        const [volume, fees] = item.split(' ');
        const [makerFee, takerFee] = fees.split('/').map(parseRate);
        return { volume: amount(parseDecimal(volume, SCALE)), makerFee, takerFee };
      }),
    };
    this.#apply({ type: 'setFeeTiers', table });
  }

  /** `alice`, `BTC-USDT`, `alice on BTC-USDT` */
  #cancelOrders(whose: string): void {
    const [name, symbol] = whose.includes(' on ') ? whose.split(' on ') : [whose, undefined];
    const alone = name.includes('-');
    const market = alone ? name : symbol;
    this.#apply({
      type: 'cancelOrders',
      uid: alone ? 0 : this.#uid(name),
      securityId: market === undefined ? 0 : this.market(market).securityId,
    });
  }

  /** `has alice, bob`, `prevents self-trades`, `allows self-trades` */
  #amendEnterprise(name: string, what: string): void {
    if (!this.#enterprises.includes(name)) {
      this.#enterprises.push(name);
      this.#apply({ type: 'createEnterprise', name });
    }
    const enterpriseId = this.#enterprises.indexOf(name) + 1;
    if (what.startsWith('has ')) {
      for (const member of what.slice('has '.length).split(', ')) {
        const uid = this.#uid(member);
        this.#apply({ type: 'assignEnterprise', uid, enterpriseId, admin: false });
      }
    } else {
      const selfTradePrevention = what === 'prevents self-trades';
      this.#apply({ type: 'amendEnterprise', enterpriseId, selfTradePrevention });
    }
  }

  /** `suspended`, `active`, `maxOpenOrders 2`, `fees 0%/0.1%`, `fees none` */
  #amendUser(uid: number, [what, value]: readonly string[]): void {
    const fees =
      what !== 'fees' ? [] : value === 'none' ? [-1, -1] : value.split('/').map(parseRate);
    const suspended = { suspended: true, active: false }[what] ?? null;
    this.#apply({
      type: 'amendUser',
      uid,
      kyc: null,
      suspended,
      makerFee: fees[0] ?? null,
      takerFee: fees[1] ?? null,
      maxOpenOrders: what === 'maxOpenOrders' ? Number(value) : null,
    });
  }

  #transfer(
    uid: number,
    direction: 'credit' | 'debit',
    n: string,
    asset: string,
    reference: string,
  ): void {
    const assetId = this.state.assetNamed(asset)?.assetId ?? 99;
    const money = amount(parseDecimal(n, SCALE));
    this.#apply({ type: 'transferFunds', direction, uid, assetId, amount: money, reference });
  }

  #customer(uid: number, sentence: Sentence): void {
    for (let time = 1; time <= sentence.times; time++) {
      const signed = sentence.signature;
      const label = sentence.times === 1 ? signed : `${signed}-${time}`;
      this.#apply(this.#author(this.#command(uid, sentence), sentence, label));
    }
  }

  #author(
    command: Command,
    { key, signature, dated, body }: Sentence,
    label: string | null,
  ): Command {
    const { uid } = command as CustomerWrite;
    if (signature === null || label === null) {
      return { ...command, signature: null, idempotency: tagOf(key, body) } as Command;
    }
    const digestLow = this.#signatures.get(label) ?? this.#signatures.size + 1;
    this.#signatures.set(label, digestLow);
    const timestamp = this.#time + dated;
    const signed = { keyId: uid, timestamp, digestHigh: 0, digestLow };
    return { ...command, signature: signed, idempotency: tagOf(key, body) } as Command;
  }

  #command(uid: number, sentence: Sentence): Command {
    const { words, symbol } = sentence;
    const unsigned = { uid, signature: null, idempotency: null };
    const after = /^cancel all after (.*)$/.exec(words);
    if (after !== null) {
      return { type: 'cancelAllAfter', ...unsigned, timeout: parseSpan(after[1]) };
    }
    if (words === 'cancel all') {
      const securityId = symbol === '' ? 0 : (this.state.instrumentNamed(symbol)?.securityId ?? 99);
      return { type: 'massCancel', ...unsigned, securityId, clOrdId: '' };
    }
    if (words.startsWith('batch: ')) {
      const texts = words.slice('batch: '.length).split('; ');
      const entries = texts.map((text) => this.#entry(parseSentence(text)));
      return { type: 'orderBatch', ...unsigned, entries };
    }
    return { ...this.#entry(sentence), ...unsigned };
  }

  #entry(sentence: Sentence): BatchEntry {
    const { symbol } = sentence;
    const known = this.state.instrumentNamed(symbol === '' ? this.#firstSymbol() : symbol);
    return parseEntry(known ?? { ...USUAL_TERMS, securityId: 99 }, sentence, this.#time);
  }

  #firstSymbol(): string {
    return this.state.instruments[1]!.symbol;
  }

  market(symbol: string): Instrument {
    const instrument = this.state.instrumentNamed(symbol);
    if (instrument === undefined) throw new Error(`no instrument ${symbol}`);
    return instrument;
  }
}

const tagOf = (key: string | null, digest: string) => (key === null ? null : { key, digest });

const DOWN = / down$/;
const isDowntime = ({ who, command }: Step): boolean => who === 'clock' && DOWN.test(command);
