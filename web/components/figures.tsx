// Figures on every page: amounts, changes, rates and times, exact and aligned.
import { Tooltip } from '@mantine/core';
import { type Decimal, isNegative, isPositive } from '../exact/decimal.ts';
import {
  dateTime,
  grouped,
  type Instant,
  percent,
  shortTime,
  signedPercent,
  utcDay,
  utcFull,
} from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';

export interface AmountProps {
  /** null shows a dash. */
  readonly value: Decimal | null;
  readonly asset?: string | undefined;
  /** Digits after the point; all digits by default. */
  readonly decimals?: number | undefined;
  /** Zeros that fill up the decimals are faint. */
  readonly faintZeros?: boolean;
  /** A sign and a color. */
  readonly signed?: boolean;
}

export function Amount(props: AmountProps) {
  const { value, asset, decimals, faintZeros = false, signed = false } = props;
  if (value === null) return <span className="dim">–</span>;
  const tone = signed ? (isPositive(value) ? 'buy' : isNegative(value) ? 'sell' : '') : '';
  const text = grouped(value, decimals).replace('-', '−');
  const zeros = faintZeros ? text.length - grouped(value).length : 0;
  const digits = zeros > 0 ? text.slice(0, -zeros) : text;
  return (
    <span className={`figures nowrap ${tone}`}>
      {signed && isPositive(value) ? `+${digits}` : digits}
      {zeros > 0 ? <span className="dim">{text.slice(-zeros)}</span> : null}
      {asset === undefined ? null : <span className="dim"> {asset}</span>}
    </span>
  );
}

export type AssetAmountProps = Pick<AmountProps, 'value' | 'signed'> & {
  readonly asset: string;
  /** Names the asset behind the amount. */
  readonly named?: boolean;
};

/** An amount with the decimals of its asset, so that the points of a column align. */
export function AssetAmount({ value, asset, named = false, signed = false }: AssetAmountProps) {
  const { data } = useLive(feeds.assets);
  return (
    <Amount
      value={value}
      asset={named ? asset : undefined}
      decimals={data?.find((one) => one.asset === asset)?.scale}
      faintZeros
      signed={signed}
    />
  );
}

/** The color of a change; one that is shown as 0.00% has none. */
export function toneOf(rate: Decimal | null): 'buy' | 'sell' | 'dim' {
  const sign = rate === null ? '' : signedPercent(rate)[0];
  return sign === '−' ? 'sell' : sign === '+' ? 'buy' : 'dim';
}

/** A change as a rate, with a sign and a color. */
export function Change({ rate }: { readonly rate: Decimal | null }) {
  if (rate === null) return <span className="dim">–</span>;
  return <span className={`figures nowrap ${toneOf(rate)}`}>{signedPercent(rate)}</span>;
}

/** An annual rate as a percentage. */
export function Rate({ rate }: { readonly rate: Decimal | null }) {
  return <span className="figures nowrap">{rate === null ? '–' : percent(rate)}</span>;
}

interface WhenProps {
  readonly at: Instant | null;
  /** For dense lists: 14:05:09 today, Nov 21 14:05 in this year. */
  readonly short?: boolean;
}

/** A local time; the tooltip has UTC to the millisecond. */
export function When({ at, short = false }: WhenProps) {
  if (at === null) return <span className="dim">–</span>;
  return (
    <Tooltip label={utcFull(at)} openDelay={300}>
      <time dateTime={new Date(Number(at)).toISOString()} className="figures nowrap">
        {short ? shortTime(at, Date.now()) : dateTime(at)}
      </time>
    </Tooltip>
  );
}

export interface DayProps {
  readonly at: Instant | null;
  /** Marks it as UTC, for a column with local times; the tooltip has the instant. */
  readonly named?: boolean;
}

/** A UTC day, as interest uses it. */
export function Day({ at, named = false }: DayProps) {
  if (at === null) return <span className="dim">–</span>;
  const day = (
    <time dateTime={utcDay(at)} className="figures nowrap">
      {utcDay(at)}
      {named ? <span className="dim"> UTC</span> : null}
    </time>
  );
  if (!named) return day;
  return (
    <Tooltip label={utcFull(at)} openDelay={300}>
      {day}
    </Tooltip>
  );
}
