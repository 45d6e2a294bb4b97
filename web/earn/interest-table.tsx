// The interest of each day, with its computation.
import { Anchor, Modal } from '@mantine/core';
import { useState } from 'react';
import type { InterestEntry } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Pages } from '../components/paging.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { Explained } from './explained.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import { isGivenUp } from './series.ts';

export interface InterestTableProps {
  readonly applyId: string;
  readonly coin: string;
  /** The first day of forfeited interest, if the term ended early. */
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
        empty={<Empty title="No interest yet" />}
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
  /** The coin's decimals, so that decimal points line up. */
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
          forfeited <Amount value={earnedAmount} decimals={decimals} />
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
