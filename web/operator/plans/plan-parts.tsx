// Parts of a plan that the list and the plan's page share.
import { Progress, Stack } from '@mantine/core';
import type { OfferedPlan } from '../../../src/sdk/index.ts';
import { Amount } from '../../components/figures.tsx';
import { plansText as text } from '../../messages/operator-plans.ts';
import { Mark } from '../parts/marks.tsx';
import styles from './plans.module.css';
import { coverText, filledPercent } from './reserve-cover.ts';

export function Cover({ reserve }: Pick<OfferedPlan, 'reserve'>) {
  if (reserve.daysOfCover === null && !reserve.alarm) {
    return <span className="dim">{coverText(reserve)}</span>;
  }
  const tone = reserve.overdue ? 'bad' : reserve.alarm ? 'warn' : 'good';
  return <Mark tone={tone}>{coverText(reserve)}</Mark>;
}

/** The subscribed amount, with a bar if the capacity is limited. */
export function Pool({ plan }: { readonly plan: OfferedPlan }) {
  const filled = filledPercent(plan);
  return (
    <Stack gap={3} align="flex-end">
      <Amount value={plan.pool} asset={plan.coin} />
      {filled === null ? null : (
        <Progress
          value={filled}
          className={styles.filled}
          size="xs"
          aria-label={text.filled(Math.floor(filled))}
        />
      )}
    </Stack>
  );
}
