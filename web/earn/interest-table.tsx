// The interest of each day, and for each the computation that it came from.
import { Anchor, Modal } from '@mantine/core';
import { useState } from 'react';
import type { InterestEntry } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Pages } from '../components/pages.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { Explained } from './explained.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import { isGivenUp } from './series.ts';

export interface InterestTableProps {
  readonly applyId: string;
  readonly coin: string;
  /** The first day of a term that was ended early, whose interest is not earned any more. */
  readonly givenUpFrom: number | null;
}

export function InterestTable({ applyId, coin, givenUpFrom }: InterestTableProps) {
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<number | null>(null);
  const scale = useScale(coin) ?? undefined;
  const live = useLive(earnFeeds.interest(applyId, page));
  return (
    <>
      <Loaded
        live={live}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty title="No day has earned yet" />}
      >
        {({ items, totalPage }) => (
          <>
            <DataTable
              label="Interest of each day"
              rows={items}
              columns={columns(coin, scale, givenUpFrom, setAsked)}
              keyOf={({ date }) => date}
            />
            <Pages page={page} total={totalPage} onChange={setPage} />
          </>
        )}
      </Loaded>
      <Modal
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === null ? '' : `The interest of ${utcDay(asked)}`}
        size="lg"
      >
        {asked === null ? null : <Explained applyId={applyId} date={asked} />}
      </Modal>
    </>
  );
}

const columns = (
  coin: string,
  /** All with as many digits as the coin has, so that points stand below points. */
  decimals: number | undefined,
  givenUpFrom: number | null,
  explain: (date: number) => void,
): readonly Column<InterestEntry>[] => [
  { title: 'Day (UTC)', render: ({ date }) => <Day at={date} /> },
  {
    title: `Interest (${coin})`,
    align: 'right',
    render: ({ date, earnedAmount }) =>
      isGivenUp(date, givenUpFrom) ? (
        <span className="dim">
          given up <Amount value={earnedAmount} decimals={decimals} />
        </span>
      ) : (
        <Amount value={earnedAmount} decimals={decimals} signed />
      ),
  },
  {
    title: 'Computation',
    align: 'right',
    render: ({ date }) => (
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => explain(date)}
        aria-label={`Explain the interest of ${utcDay(date)}`}
      >
        Explain
      </Anchor>
    ),
  },
];
