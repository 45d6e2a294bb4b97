// One day's interest as a computation: principal, rate, and the fractions that truncation carries.
// The page computes it again from the server's figures.
import type { ExplainedRate, InterestExplanation } from '../../src/sdk/index.ts';
import { type Decimal, divideDown, fixedDown } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';

export interface Line {
  /** The operator before the line: ×, ÷, =, +; empty for the first line. */
  readonly sign: '' | '×' | '÷' | '=' | '+' | '−';
  readonly label: string;
  readonly figure: string;
  /** All digits of the figure, if `figure` is shortened. */
  readonly full?: string;
  /** Whether this line is the day's interest. */
  readonly result?: boolean;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Decimals of an exact value on screen; `full` has the rest. */
const SHOWN = 20;
/** Decimals of a carried fraction, which is below the coin's smallest unit. */
const CARRIED_DIGITS = 20;

function fraction(text: string): Fraction {
  const [numerator = '0', denominator = '1'] = text.split('/');
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

/** A fraction as a decimal, rounded down. */
const decimalOf = ({ numerator, denominator }: Fraction, decimals: number): Decimal =>
  divideDown(String(numerator), String(denominator), decimals);

function cut(value: Decimal, digits: number): string {
  const short = fixedDown(value, digits);
  return value.length > short.length ? `${short}…` : grouped(value);
}

const carriedLine = (sign: '+' | '−', label: string, text: string): Line => {
  const value = fraction(text);
  if (value.numerator === 0n) return { sign, label, figure: '0' };
  return { sign, label, figure: `${decimalOf(value, CARRIED_DIGITS)}…`, full: `${text} of a coin` };
};

function linesOf(part: ExplainedRate, basis: Decimal, coin: string, rateLabel: string): Line[] {
  const { numerator, denominator, exact } = part;
  return [
    { sign: '', label: 'Principal of this day', figure: `${grouped(basis)} ${coin}` },
    { sign: '×', label: rateLabel, figure: percent(part.rate) },
    { sign: '÷', label: 'Days per year', figure: '365' },
    {
      sign: '=',
      label: 'Exact interest of the day',
      figure: cut(exact, SHOWN),
      full: `${numerator}/${denominator} = ${exact}…`,
    },
    carriedLine('+', 'Carried from the previous day', part.carriedIn),
    carriedLine('−', 'Carried to the next day', part.carriedOut),
    {
      sign: '=',
      label: 'Interest of the day',
      figure: `${grouped(part.earnedAmount)} ${coin}`,
      result: true,
    },
  ];
}

export interface ExplanationPart {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Whether both sides are equal to the last digit. */
  readonly holds: boolean;
}

/** basis × rate ÷ 365 + carried in = earned + carried out, exactly. */
export function holds(basis: Decimal, part: ExplainedRate): boolean {
  const carriedIn = fraction(part.carriedIn);
  const carriedOut = fraction(part.carriedOut);
  const { denominator } = carriedIn;
  if (carriedOut.denominator !== denominator || String(denominator) !== part.denominator)
    return false;
  const [a, b] = [asFraction(basis), asFraction(part.rate)];
  const [exact, scale] = [
    a.numerator * b.numerator * denominator,
    a.denominator * b.denominator * 365n,
  ];
  if (BigInt(part.numerator) * scale !== exact) return false;
  const earned = asFraction(part.earnedAmount);
  const left = (BigInt(part.numerator) + carriedIn.numerator) * earned.denominator;
  const right = earned.numerator * denominator + carriedOut.numerator * earned.denominator;
  return left === right;
}

function asFraction(value: Decimal): Fraction {
  const [whole = '0', digits = ''] = value.split('.');
  return { numerator: BigInt(whole + digits), denominator: 10n ** BigInt(digits.length) };
}

/** The computation of the plan's interest, and of the booster's if there is one. */
export function explanationParts(explanation: InterestExplanation): readonly ExplanationPart[] {
  const { principalBasis, coin, booster } = explanation;
  const part = (title: string, rate: ExplainedRate, label: string): ExplanationPart => ({
    title,
    lines: linesOf(rate, principalBasis, coin, label),
    holds: holds(principalBasis, rate),
  });
  const own = part('Interest of the plan', explanation, 'APR');
  return booster === null
    ? [own]
    : [own, part('Interest of the booster', booster, 'Additional APR')];
}
