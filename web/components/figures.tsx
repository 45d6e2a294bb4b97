// Figures on every page: amounts, changes, rates and times, exact and aligned.
import { Tooltip } from '@mantine/core';
import { type Decimal, isNegative, isPositive } from '../exact/decimal.ts';
import {
  dateTime,
  grouped,
  type Instant,
  percent,
  signedPercent,
  utcDay,
  utcFull,
} from '../exact/format.ts';

export interface AmountProps {
  /** null shows a dash. */
  readonly value: Decimal | null;
  readonly asset?: string | undefined;
  /** Digits after the point; all digits by default. */
  readonly decimals?: number | undefined;
  /** A sign and a color. */
  readonly signed?: boolean;
}

export function Amount({ value, asset, decimals, signed = false }: AmountProps) {
  if (value === null) return <span className="dim">–</span>;
  const tone = signed ? (isPositive(value) ? 'buy' : isNegative(value) ? 'sell' : '') : '';
  const text = grouped(value, decimals).replace('-', '−');
  return (
    <span className={`figures nowrap ${tone}`}>
      {signed && isPositive(value) ? `+${text}` : text}
      {asset === undefined ? null : <span className="dim"> {asset}</span>}
    </span>
  );
}

/** A change as a rate, with a sign and a color. */
export function Change({ rate }: { readonly rate: Decimal | null }) {
  if (rate === null) return <span className="dim">–</span>;
  const tone = isNegative(rate) ? 'sell' : isPositive(rate) ? 'buy' : 'dim';
  return <span className={`figures nowrap ${tone}`}>{signedPercent(rate)}</span>;
}

/** An annual rate as a percentage. */
export function Rate({ rate }: { readonly rate: Decimal | null }) {
  return <span className="figures nowrap">{rate === null ? '–' : percent(rate)}</span>;
}

/** A local time; the tooltip has UTC to the millisecond. */
export function When({ at }: { readonly at: Instant | null }) {
  if (at === null) return <span className="dim">–</span>;
  return (
    <Tooltip label={utcFull(at)} openDelay={300}>
      <time dateTime={new Date(Number(at)).toISOString()} className="figures nowrap">
        {dateTime(at)}
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
