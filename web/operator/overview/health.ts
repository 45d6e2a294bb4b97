// What the figures of the installation say about its health: the metrics as numbers, and what wants attention.
import type { Instrument, Plan, TrialBalance } from '../../api/operator.ts';
import { type Decimal, isZero } from '../../exact/decimal.ts';

/** Samples of /metrics by name; those with labels by name{label="value"}. Their texts, as they were written. */
export type Samples = ReadonlyMap<string, string>;

/** Prometheus text format; lines that are no samples are passed over. */
export function samplesOf(text: string): Samples {
  const samples = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/.exec(line);
    if (match !== null) samples.set(match[1]!, match[2]!);
  }
  return samples;
}

/** How many answers had a status of this class since the start: 5 for 500 to 599. */
export function answersOf(samples: Samples, statusClass: number): number {
  let count = 0;
  for (const [name, value] of samples) {
    if (name.startsWith(`agio_http_responses_total{status="${statusClass}`)) count += Number(value);
  }
  return count;
}

/** Assets whose accounts do not add up to zero. */
export const unbalanced = ({ assets }: TrialBalance): readonly string[] =>
  assets.filter(({ sum }) => !isZero(sum)).map(({ asset }) => asset);

export interface Notice {
  readonly tone: 'warn' | 'bad';
  readonly text: string;
  /** The page where something can be done about it. */
  readonly href: string;
}

export interface Installation {
  readonly samples: Samples | undefined;
  readonly trialBalance: TrialBalance | undefined;
  readonly plans: readonly Plan[] | undefined;
  readonly instruments: readonly Instrument[] | undefined;
}

/** A lag that a busy moment explains. */
const LAG_WITHOUT_WORRY = 5_000;

/** What wants attention, the worst first. */
export function noticesOf({ samples, trialBalance, plans, instruments }: Installation): Notice[] {
  const system = '/operator/system';
  const notices: Notice[] = [];
  const add = (tone: Notice['tone'], text: string, href: string) =>
    notices.push({ tone, text, href });
  for (const asset of trialBalance === undefined ? [] : unbalanced(trialBalance)) {
    add('bad', `The accounts of ${asset} do not add up to zero.`, '/operator/ledger');
  }
  for (const plan of plans ?? []) {
    const text = alarmOf(plan);
    if (text !== null) {
      add(plan.reserve.overdue ? 'bad' : 'warn', text, `/operator/plans/${plan.planId}`);
    }
  }
  for (const { symbol, instrumentStatus } of instruments ?? []) {
    if (instrumentStatus === 'LIVE') continue;
    add('warn', `${symbol} is ${STATUS_WORDS[instrumentStatus]}.`, `/operator/markets/${symbol}`);
  }
  if (samples === undefined) return notices;
  const lag = Number(samples.get('agio_follower_lag') ?? 0);
  if (lag > LAG_WITHOUT_WORRY) {
    add('warn', `History is ${lag} commands behind the journal.`, system);
  }
  const errors = answersOf(samples, 5);
  if (errors > 0) {
    const s = errors === 1 ? '' : 's';
    add('warn', `${errors} answer${s} with a server error since the start; see the log.`, system);
  }
  return notices.sort((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}

export const STATUS_WORDS = {
  LIVE: 'live',
  POST_ONLY: 'post only',
  CANCEL_ONLY: 'cancel only',
  HALTED: 'halted',
} as const;

/** Why a plan's reserve wants money; null while it does not. */
export function alarmOf({ planName, coin, reserve }: Plan): string | null {
  const { overdue, alarm, balance, daysOfCover } = reserve;
  if (overdue) {
    return `${planName} owes interest that fell due: its reserve of ${balance} ${coin} was too small.`;
  }
  if (!alarm) return null;
  const days = daysOfCover === '1' ? '1 day' : `${daysOfCover ?? '0'} days`;
  return `The reserve of ${planName} lasts for ${days} of interest.`;
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

/** Bytes as MB, cut. */
export const megabytes = (bytes: Decimal): string => `${Math.floor(Number(bytes) / 1_000_000)} MB`;
