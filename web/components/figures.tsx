// How figures look on every page: amounts, changes, rates and times, exact and in columns.
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
  /** null is shown as a dash. */
  readonly value: Decimal | null;
  readonly asset?: string | undefined;
  /** Digits after the point, where a column needs them equal; without it, all there are. */
  readonly decimals?: number | undefined;
  /** A plus before what comes in, and colours. */
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

/** A change as a rate: with a sign, an arrow for those who do not see the colour, and a colour. */
export function Change({ rate }: { readonly rate: Decimal | null }) {
  if (rate === null) return <span className="dim">–</span>;
  const tone = isNegative(rate) ? 'sell' : isPositive(rate) ? 'buy' : 'dim';
  return <span className={`figures nowrap ${tone}`}>{signedPercent(rate)}</span>;
}

/** An annual rate as a percentage. */
export function Rate({ rate }: { readonly rate: Decimal | null }) {
  return <span className="figures nowrap">{rate === null ? '–' : percent(rate)}</span>;
}

/** A local time, with UTC to the millisecond for who points at it. */
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
  /** Says that it is UTC, where other times of the column are local; with the instant for who points at it. */
  readonly named?: boolean;
}

/** A UTC day, as interest has it. */
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
