// The computation of one day, line by line.
import { Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { InterestExplanation } from '../../src/sdk/index.ts';
import { Loaded } from '../components/states.tsx';
import { add } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { type ExplanationPart, explanationParts } from './explanation.ts';
import { earnFeeds } from './feeds.ts';
import styles from './subscription.module.css';

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
          Both together: <b>{grouped(add(earnedAmount, booster.earnedAmount))}</b> {coin}
        </Text>
      )}
      <Text size="sm" className="dim">
        Interest is rounded down to the smallest unit of {coin}. The fraction is carried to the next
        day.
      </Text>
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
          <IconCheck size={13} aria-hidden /> Verified on this page: both sides are equal to the
          last digit.
        </Text>
      ) : (
        <Text size="xs" className="sell" mt={6} role="alert">
          The sides differ. Report this day and the subscription to the exchange.
        </Text>
      )}
    </div>
  );
}
