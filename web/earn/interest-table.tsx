// The interest of each day, with its computation.
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { InterestEntry } from '../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Pages } from '../components/paging.tsx';
import { Empty } from '../components/states.tsx';
import { TextButton } from '../components/texts.tsx';
import { utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { Explained } from './explanation.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import { type InterestProps, isForfeited } from './interest-chart.tsx';

const t = earnText.interest;

export function InterestTable({ applyId, coin, forfeitedFrom }: InterestProps) {
  const [page, setPage] = useState(1);
  const [explained, setExplained] = useState<number | null>(null);
  const scale = useScale(coin) ?? undefined;
  return (
    <>
      <ListPanel
        title={earnText.subscription.days}
        label={t.table}
        live={useLive(earnFeeds.interest(applyId, page))}
        rows={({ items }) => items}
        empty={<Empty title={t.none} />}
        columns={columns(coin, scale, forfeitedFrom, setExplained)}
        keyOf={({ date }) => date}
        loadingRows={4}
        footer={({ totalPage }) => <Pages page={page} total={totalPage} onChange={setPage} />}
      />
      <Modal
        opened={explained !== null}
        onClose={() => setExplained(null)}
        title={explained === null ? '' : t.ofDay(utcDay(explained))}
        size="lg"
      >
        {explained === null ? null : <Explained applyId={applyId} date={explained} />}
      </Modal>
    </>
  );
}

const columns = (
  coin: string,
  /** The coin's decimals, so that decimal points line up. */
  decimals: number | undefined,
  forfeitedFrom: number | null,
  explain: (date: number) => void,
): readonly Column<InterestEntry>[] => [
  column.of(t.day, ({ date }) => <Day at={date} />),
  column.figure(t.interestIn(coin), ({ date, earnedAmount }) =>
    isForfeited(date, forfeitedFrom) ? (
      <span className="dim">
        {t.forfeited} <Amount value={earnedAmount} decimals={decimals} />
      </span>
    ) : (
      <Amount value={earnedAmount} decimals={decimals} signed />
    ),
  ),
  column.figure(t.computation, ({ date }) => (
    <TextButton onClick={() => explain(date)} aria-label={t.explainDay(utcDay(date))}>
      {t.explain}
    </TextButton>
  )),
];
