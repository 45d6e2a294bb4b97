// The words of scenario files: decimals, rates and times as a trader writes them, and commands as
// sentences (`buy 0.5 at 100 post-only`, `cancel all after 5 s`).
import type { CreateInstrument } from '../../src/core/command.ts';
import {
  InstrumentStatus,
  SelfTradePrevention,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { Increment } from '../../src/core/instrument.ts';
import { amount, lots } from '../../src/core/units.ts';

/** A decimal as an integer of 10^-scale. */
export function parseDecimal(text: string, scale: number): bigint {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`not a decimal: ${text}`);
  const fraction = (match[2] ?? '').padEnd(scale, '0');
  if (fraction.length > scale) throw new Error(`${text} has more than ${scale} decimals`);
  return BigInt(match[1] + fraction);
}

export function showDecimal(n: bigint, scale: number): string {
  const digits = (n < 0n ? -n : n).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${n < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** How many steps of an increment a decimal is; it must be on the grid. */
export function parseSteps(text: string, { mantissa, decimals }: Increment): number {
  const scaled = parseDecimal(text, decimals);
  if (scaled % BigInt(mantissa) !== 0n) throw new Error(`${text} is off the increment`);
  return Number(scaled / BigInt(mantissa));
}

export const showSteps = (n: number | bigint, { mantissa, decimals }: Increment): string =>
  showDecimal(BigInt(n) * BigInt(mantissa), decimals);

/** A percentage as a rate in 10^-8. */
export const parseRate = (text: string): number => Number(parseDecimal(text.replace('%', ''), 6));

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };

/** A span of time (`5 s`, `24 h`) in milliseconds. */
export function parseSpan(text: string): number {
  const match = /^(-?\d+) (ms|s|min|h)$/.exec(text);
  if (match === null) throw new Error(`not a span of time: ${text}`);
  return Number(match[1]) * UNITS_MS[match[2]];
}

const parseIncrement = (text: string): Increment => {
  const decimals = text.split('.')[1]?.length ?? 0;
  return { mantissa: Number(parseDecimal(text, decimals)), decimals };
};

export type Terms = Omit<CreateInstrument, 'type' | 'symbol' | 'baseAsset' | 'quoteAsset'>;

export const SCALE = 8;

/** The terms that `tick 0.01, lot 0.001, minimum 0.001/0.1, fees 0.1%/0.2%, band 10%, …` names. */
export function parseTerms(text: string, lot: Increment): Partial<Terms> {
  const terms: { -readonly [K in keyof Terms]?: Terms[K] } = {};
  for (const item of text.split(', ')) {
    const [name, value] = [item.slice(0, item.indexOf(' ')), item.slice(item.indexOf(' ') + 1)];
    const [first, second] = value.split('/');
    if (name === 'tick') terms.tick = parseIncrement(value);
    else if (name === 'lot') terms.lot = parseIncrement(value);
    else if (name === 'minimum') {
      terms.minQuantity = lots(parseSteps(first, terms.lot ?? lot));
      terms.minNotional = amount(parseDecimal(second, SCALE));
    } else if (name === 'fees') {
      terms.makerFee = parseRate(first);
      terms.takerFee = parseRate(second);
    } else if (name === 'band') terms.priceBand = parseRate(value);
    else if (name === 'self-trade') {
      terms.selfTradePrevention = SelfTradePrevention[value as keyof typeof SelfTradePrevention];
    } else if (name === 'status') {
      terms.status = InstrumentStatus[value as keyof typeof InstrumentStatus];
    } else throw new Error(`unknown term: ${item}`);
  }
  return terms;
}

/** Options at the end of a sentence; what they do not match is the sentence itself. */
export interface Sentence {
  readonly words: string;
  readonly postOnly: boolean;
  readonly strict: boolean;
  readonly id: string;
  readonly symbol: string;
  readonly key: string | null;
  readonly signature: string | null;
  /** Difference of the signature's timestamp to now, ms. */
  readonly dated: number;
  readonly times: number;
  readonly timeInForce: TimeInForce;
  /** How long the order is good, ms; null unless it says so. */
  readonly goodFor: number | null;
  readonly showing: string | null;
  readonly selfTrade: SelfTradePrevention | null;
  readonly trigger: Trigger | null;
  /** The distance of a stop that trails: `5%`, or an amount. */
  readonly trailing: string | null;
  /** Take profit, stop and its price, which is empty for a market order; or its distance. */
  readonly exits: readonly [string, string, string, string?] | null;
  /** Everything but key and signature: what an Idempotency-Key is compared by. */
  readonly body: string;
}

interface Trigger {
  readonly direction: TriggerPriceDirection;
  readonly price: string;
}

const IN_FORCE: Readonly<Record<string, TimeInForce>> = {
  ioc: TimeInForce.immediateOrCancel,
  fok: TimeInForce.fillOrKill,
};

export function parseSentence(text: string): Sentence {
  let rest = ` ${text}`;
  const take = (pattern: RegExp): string | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = rest.replace(pattern, '');
    return match === null ? null : (match[1] ?? '');
  };
  const dated = take(/ dated (-?\d+ m?s)$/);
  const signature = take(/ signed (\S+)/);
  const key = take(/ key (\S+)/);
  const body = rest;
  if (rest.startsWith(' batch: ')) {
    // Its entries have the options.
    const timed = dated === null ? 0 : parseSpan(dated);
    return { ...parseSentence(''), key, signature, body, dated: timed, words: rest.trim() };
  }
  const exits = / with exits at (\S+)(?: and (\S+?)(?: for (\S+))?| trailing (\S+))?$/.exec(rest);
  if (exits !== null) rest = rest.slice(0, exits.index);
  const trailing = take(/ trailing (\S+)/);
  const trigger = / when the price (rises|falls) to (\S+)/.exec(rest);
  if (trigger !== null) rest = rest.replace(trigger[0], '');
  const goodFor = take(/ good for (\d+ \w+)/);
  const mode = take(/ self-trade (\w+)/);
  const inForce = IN_FORCE[take(/ (ioc|fok)$/) ?? ''] ?? TimeInForce.goodTillCancel;
  return {
    key,
    signature,
    body,
    timeInForce: goodFor === null ? inForce : TimeInForce.goodTillDate,
    goodFor: goodFor === null ? null : parseSpan(goodFor),
    showing: take(/ showing (\S+)/),
    selfTrade: mode === null ? null : SelfTradePrevention[mode as keyof typeof SelfTradePrevention],
    trailing,
    trigger: trigger === null ? null : triggerOf(trigger[1]!, trigger[2]!),
    exits: exits === null ? null : [exits[1]!, exits[2] ?? '', exits[3] ?? '', exits[4]],
    dated: dated === null ? 0 : parseSpan(dated),
    times: Number(take(/^ (\d+) times:/) ?? 1),
    postOnly: take(/ post-only/) !== null,
    strict: take(/ strict/) !== null,
    id: take(/ id (\S+)/) ?? '',
    symbol: take(/ on (\S+)/) ?? '',
    words: rest.trim(),
  };
}

function triggerOf(word: string, price: string): Trigger {
  const { up, down } = TriggerPriceDirection;
  return { direction: word === 'rises' ? up : down, price };
}
