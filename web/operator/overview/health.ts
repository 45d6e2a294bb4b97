// The health of the installation: the metrics by name, and what needs the operator's attention.
import type { Instrument, OfferedPlan, TrialBalance } from '../../../src/sdk/index.ts';
import { type Decimal, isZero } from '../../exact/decimal.ts';
import { operatorText as text } from '../../messages/operator.ts';
import { marketsText } from '../../messages/operator-markets.ts';

/** Samples of /metrics, by name or name{label="value"}, as the texts that the server wrote. */
export type Samples = ReadonlyMap<string, string>;

/** Prometheus text format; skips lines that are no samples. */
export function samplesOf(text: string): Samples {
  const samples = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/.exec(line);
    if (match !== null) samples.set(match[1]!, match[2]!);
  }
  return samples;
}

/** How many answers had each status from 500 on, since the start. */
export function serverErrorsOf(samples: Samples): readonly (readonly [string, number])[] {
  return [...samples].flatMap(([name, value]) => {
    const status = /^agio_http_responses_total\{status="(5\d\d)"/.exec(name)?.[1];
    return status === undefined || value === '0' ? [] : [[status, Number(value)] as const];
  });
}

/** The samples of plans that change with their alarms, as one text. */
export const planAlarmsOf = (samples: Samples): string =>
  [...samples].filter(([name]) => /^agio_plan_(reserve_alarm|interest_overdue)/.test(name)).join();

/** Assets whose accounts do not sum to zero. */
export const unbalancedAssets = ({ assets }: TrialBalance): readonly string[] =>
  assets.filter(({ sum }) => !isZero(sum)).map(({ asset }) => asset);

export interface Notice {
  readonly tone: 'warn' | 'bad';
  readonly text: string;
  /** The page to act on it. */
  readonly href: string;
}

export interface Installation {
  readonly samples: Samples | undefined;
  readonly trialBalance: TrialBalance | undefined;
  readonly plans: readonly OfferedPlan[] | undefined;
  readonly instruments: readonly Pick<Instrument, 'symbol' | 'instrumentStatus'>[] | undefined;
}

/** A busy moment explains a shorter lag. */
const NORMAL_LAG = 5_000;

/** The notices that need attention, the worst first. */
export function noticesOf({ samples, trialBalance, plans, instruments }: Installation): Notice[] {
  const system = '/operator/system';
  const notices: Notice[] = [];
  const add = (tone: Notice['tone'], sentence: string, href: string) =>
    notices.push({ tone, text: sentence, href });
  for (const asset of trialBalance === undefined ? [] : unbalancedAssets(trialBalance)) {
    add('bad', text.unbalanced(asset), '/operator/ledger');
  }
  for (const plan of plans ?? []) {
    const alarm = alarmOf(plan);
    if (alarm !== null) {
      add(plan.reserve.overdue ? 'bad' : 'warn', alarm, `/operator/plans/${plan.planId}`);
    }
  }
  for (const { symbol, instrumentStatus } of instruments ?? []) {
    if (instrumentStatus === 'LIVE') continue;
    const status = marketsText.statuses[instrumentStatus][0].toLowerCase();
    add('warn', text.pairStatus(symbol, status), `/operator/markets/${symbol}`);
  }
  if (samples === undefined) return notices;
  const lag = Number(samples.get('agio_follower_lag') ?? 0);
  if (lag > NORMAL_LAG) add('warn', text.historyBehind(lag), system);
  const errors = serverErrorsOf(samples).reduce((sum, [, count]) => sum + count, 0);
  if (errors > 0) add('warn', text.serverErrors(errors), system);
  return notices.sort((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}

/** Why a plan's reserve needs money; null if it does not. */
export function alarmOf({ planName, coin, reserve }: OfferedPlan): string | null {
  const { overdue, alarm, balance, daysOfCover } = reserve;
  if (overdue) return text.interestOverdue(planName, `${balance} ${coin}`);
  if (!alarm) return null;
  if (daysOfCover === null) return text.reserveEmpty(planName);
  return text.reserveLow(planName, Number(daysOfCover));
}

/** 93784 seconds → 1 d 2 h; the two largest units. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first === -1) return '0 s';
  let rest = seconds;
  const parts: string[] = [];
  for (const [size, name] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}

/** Bytes as MB, rounded down. */
export const megabytes = (bytes: Decimal): string => `${Math.floor(Number(bytes) / 1_000_000)} MB`;
