// One day's interest as a computation: principal, rate, and the fractions that truncation carries.
// The page computes it again from the server's figures.
import { Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ExplainedRate, InterestExplanation } from '../../src/sdk/index.ts';
import { Loaded } from '../components/layout.tsx';
import { Dim } from '../components/texts.tsx';
import { add, type Decimal, divideDown, fixedDown } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { earnFeeds } from './feeds.ts';
import styles from './subscription.module.css';
import { amountIn } from './words.ts';

const t = earnText.explanation;

interface Line {
  /** The operator before the line: ×, ÷, =, +; empty for the first line. */
  readonly sign: '' | '×' | '÷' | '=' | '+' | '−';
  readonly label: string;
  readonly figure: string;
  /** All digits of the figure, if `figure` is shortened. */
  readonly full?: string;
  /** True if this line is the day's interest. */
  readonly result?: boolean;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Decimals of a fraction on screen; `full` has the rest. */
const SHOWN = 20;

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
  return { sign, label, figure: `${decimalOf(value, SHOWN)}…`, full: t.ofCoin(text) };
};

function linesOf(part: ExplainedRate, basis: Decimal, coin: string, rateLabel: string): Line[] {
  const { numerator, denominator, exact } = part;
  return [
    { sign: '', label: t.principal, figure: amountIn(coin, basis) },
    { sign: '×', label: rateLabel, figure: percent(part.rate) },
    { sign: '÷', label: t.daysPerYear, figure: '365' },
    {
      sign: '=',
      label: t.exact,
      figure: cut(exact, SHOWN),
      full: `${numerator}/${denominator} = ${exact}…`,
    },
    carriedLine('+', t.carriedIn, part.carriedIn),
    carriedLine('−', t.carriedOut, part.carriedOut),
    {
      sign: '=',
      label: t.interest,
      figure: amountIn(coin, part.earnedAmount),
      result: true,
    },
  ];
}

interface ExplanationPart {
  readonly title: string;
  readonly lines: readonly Line[];
  /** True if both sides are equal to the last digit. */
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
  const own = part(t.ofPlan, explanation, t.apr);
  return booster === null ? [own] : [own, part(t.ofBooster, booster, t.additionalApr)];
}

interface ExplainedProps {
  readonly applyId: string;
  readonly date: number;
}

export function Explained({ applyId, date }: ExplainedProps) {
  const live = useLive(earnFeeds.explanation(applyId, date));
  return (
    <Loaded live={live} rows={6}>
      {(explanation) => <Computation explanation={explanation} />}
    </Loaded>
  );
}

function Computation({ explanation }: { readonly explanation: InterestExplanation }) {
  const parts = explanationParts(explanation);
  const { booster, earnedAmount, coin } = explanation;
  return (
    <Stack gap="md">
      {parts.map((part) => (
        <Part key={part.title} part={part} titled={parts.length > 1} />
      ))}
      {booster === null ? null : (
        <Text size="sm" className="figures">
          {t.total}
          <b>{grouped(add(earnedAmount, booster.earnedAmount))}</b> {coin}
        </Text>
      )}
      <Dim>{t.rounding(coin)}</Dim>
    </Stack>
  );
}

function Part({ part, titled }: { readonly part: ExplanationPart; readonly titled: boolean }) {
  return (
    <div>
      {titled ? <h3 className={styles.partTitle}>{part.title}</h3> : null}
      <div className={styles.explanation}>
        <table aria-label={part.title}>
          <tbody>
            {part.lines.map(({ sign, label, figure, full, result }) => (
              <tr key={label} className={result ? styles.result : undefined}>
                <td className={styles.sign}>{sign}</td>
                <th scope="row">{label}</th>
                <td className="figures" title={full}>
                  {figure}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {part.holds ? (
        <Text size="xs" className="buy" mt={6}>
          <IconCheck size={13} aria-hidden /> {t.verified}
        </Text>
      ) : (
        <Text size="xs" className="sell" mt={6} role="alert">
          {t.wrong}
        </Text>
      )}
    </div>
  );
}
