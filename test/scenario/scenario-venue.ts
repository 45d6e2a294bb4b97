// The venue of one scenario of trading: instruments by name, sentences into commands, outcomes and
// reports into sentences.
import type { BatchEntry, Command } from '../../src/core/command.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { CustomerWrite } from '../../src/core/once.ts';
import { amount } from '../../src/core/units.ts';
import { Lockstep } from '../model/lockstep.ts';
import { BTC_USDT_TERMS, UNCHANGED_INSTRUMENT } from '../support/venue.ts';
import { NamedVenue } from './named-venue.ts';
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

export class ScenarioVenue extends NamedVenue<Lockstep> {
  readonly #signatures = new Map<string, number>();

  constructor() {
    super(new Lockstep(), 1_700_000_000_000);
  }

  /** Runs the scenario and returns the tables of what happened. */
  run(scenario: Scenario): Table[] {
    const markets = scenario.setup.filter((item) => /^\w+-\w+:/.test(item));
    for (const item of markets.length === 0 ? [`${USUAL_MARKET}: lot 0.001`] : markets) {
      this.#list(item);
    }
    for (const item of scenario.setup) if (!markets.includes(item)) this.enrol(item, true);
    const rows = scenario.steps.flatMap((step) => this.#rowsOf(step));
    return [
      [['who', 'command', 'outcome', 'reports'], ...rows],
      ...bookTable(this),
      ...stopTable(this),
      balanceTable(this),
    ];
  }

  /** `BTC-USDT: tick 0.01, lot 0.001` */
  #list(item: string): void {
    const [symbol, text] = item.split(': ');
    const [baseAsset, quoteAsset] = symbol.split('-');
    for (const asset of [baseAsset, quoteAsset]) {
      if (this.state.assetNamed(asset) !== undefined) continue;
      this.apply({ type: 'createAsset', asset, scale: SCALE, fiat: false });
    }
    const terms = { ...USUAL_TERMS, ...parseTerms(text, USUAL_TERMS.lot) };
    this.apply({ ...terms, symbol, baseAsset, quoteAsset });
  }

  /** The outcome of a step; each further report has a row of its own. */
  #rowsOf(step: Step): string[][] {
    this.#execute(step);
    // No command, so no outcome.
    if (isDowntime(step)) return [[step.who, step.command, '', '']];
    const [first, ...others] = this.lockstep.exchange.events.map((event) => showEvent(this, event));
    const outcome = showOutcome(this, this.uidOf(step.who), this.lockstep.outcome);
    const row = [step.who, step.command, outcome, first ?? ''];
    return [row, ...others.map((report) => ['', '', '', report])];
  }

  #execute({ who, command }: Step): void {
    if (who === 'operator') this.#operate(command);
    else if (who === 'clock') this.#wait(command);
    else this.#customer(this.uidOf(who), parseSentence(command));
    this.lockstep.checkpoint();
  }

  /** Time passes, and what is due is done; `11 s down`: the service was down meanwhile. */
  #wait(text: string): void {
    this.time += parseSpan(text.replace(DOWN, ''));
    if (!DOWN.test(text)) this.apply({ type: 'runTimers' });
  }

  #operate(text: string): void {
    const [verb, name, ...rest] = text.split(' ');
    if (verb === 'credit' || verb === 'debit') {
      const [n, asset, , reference] = rest;
      this.apply(this.transferOf(verb, name, n, asset, reference));
    } else if (verb === 'amend' && name.includes('-')) {
      const { securityId, lot } = this.market(name);
      const terms = parseTerms(rest.join(' '), lot);
      this.apply({ ...UNCHANGED_INSTRUMENT, securityId, ...terms });
    } else if (verb === 'amend') this.#amendUser(this.uidOf(name), rest);
    else if (verb === 'fee') this.#setFeeTiers(text.slice('fee tiers '.length));
    else if (verb === 'cancel') this.#cancelOrders(text.slice('cancel '.length));
    else if (verb === 'enterprise') this.#amendEnterprise(name, rest.join(' '));
    else throw new Error(`the operator cannot: ${text}`);
  }

  /** `none`, `in USDT, BTC at 50: 1000 0.05%/0.1%, 5000 0%/0.05%` */
  #setFeeTiers(text: string): void {
    if (text === 'none') {
      this.apply({ type: 'setFeeTiers', table: null });
      return;
    }
    const [assets, tiers] = text.slice('in '.length).split(': ');
    const [volumeAsset, ...others] = assets.split(', ');
    const rates = others.map((item) => {
      const [name, , rate] = item.split(' ');
      return { assetId: this.assetIdOf(name), rate: Number(parseDecimal(rate, SCALE)) };
    });
    const table = {
      volumeAssetId: this.assetIdOf(volumeAsset),
      rates,
      tiers: tiers.split(', ').map((item) => {
        const [volume, fees] = item.split(' ');
        const [makerFee, takerFee] = fees.split('/').map(parseRate);
        return { volume: amount(parseDecimal(volume, SCALE)), makerFee, takerFee };
      }),
    };
    this.apply({ type: 'setFeeTiers', table });
  }

  /** `alice`, `BTC-USDT`, `alice on BTC-USDT` */
  #cancelOrders(whose: string): void {
    const [name, symbol] = whose.includes(' on ') ? whose.split(' on ') : [whose, undefined];
    const alone = name.includes('-');
    const market = alone ? name : symbol;
    this.apply({
      type: 'cancelOrders',
      uid: alone ? 0 : this.uidOf(name),
      securityId: market === undefined ? 0 : this.market(market).securityId,
    });
  }

  /** `has alice, bob`, `prevents self-trades`, `allows self-trades` */
  #amendEnterprise(name: string, what: string): void {
    if (what.startsWith('has ')) {
      for (const member of what.slice('has '.length).split(', ')) this.assign(member, name, false);
    } else {
      const selfTradePrevention = what === 'prevents self-trades';
      const enterpriseId = this.enterpriseOf(name);
      this.apply({ type: 'amendEnterprise', enterpriseId, selfTradePrevention });
    }
  }

  /** `suspended`, `active`, `maxOpenOrders 2`, `fees 0%/0.1%`, `fees none` */
  #amendUser(uid: number, [what, value]: readonly string[]): void {
    const fees =
      what !== 'fees' ? [] : value === 'none' ? [-1, -1] : value.split('/').map(parseRate);
    const suspended = { suspended: true, active: false }[what] ?? null;
    this.apply({
      type: 'amendUser',
      uid,
      kyc: null,
      suspended,
      makerFee: fees[0] ?? null,
      takerFee: fees[1] ?? null,
      maxOpenOrders: what === 'maxOpenOrders' ? Number(value) : null,
    });
  }

  #customer(uid: number, sentence: Sentence): void {
    for (let time = 1; time <= sentence.times; time++) {
      const signed = sentence.signature;
      const label = sentence.times === 1 ? signed : `${signed}-${time}`;
      this.apply(this.#author(this.#command(uid, sentence), sentence, label));
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
    const timestamp = this.time + dated;
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
    return parseEntry(known ?? { ...USUAL_TERMS, securityId: 99 }, sentence, this.time);
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
