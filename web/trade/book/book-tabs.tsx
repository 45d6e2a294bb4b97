// On screens that are not wide the book, its orders and the tape are looked at in turn, so that each has the height of the desk.
import { Tabs } from '@mantine/core';
import { memo, useState } from 'react';
import type { Decimal } from '../../exact/decimal.ts';
import { Tape } from '../market/tape.tsx';
import pageStyles from '../page.module.css';
import styles from './book.module.css';
import { type BookPanelProps, BookTable, StepSelect } from './book-panel.tsx';

export const BookTabs = memo(function BookTabs({ pair, onPrice }: BookPanelProps) {
  const [tab, setTab] = useState<string | null>('book');
  const [step, setStep] = useState<Decimal>(pair.tick);
  return (
    <section className={`${pageStyles.book} ${styles.panel}`} aria-label="Book and trades">
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={styles.tabs}>
        <div className={styles.head}>
          <Tabs.List className={styles.list}>
            <Tabs.Tab value="book">Book</Tabs.Tab>
            <Tabs.Tab value="orders" title="The book, order by order">
              Orders
            </Tabs.Tab>
            <Tabs.Tab value="trades">Trades</Tabs.Tab>
          </Tabs.List>
          {tab === 'book' ? <StepSelect pair={pair} step={step} onChange={setStep} /> : null}
        </div>
        <Tabs.Panel value="book" className={styles.tab}>
          <BookTable pair={pair} onPrice={onPrice} step={step} />
        </Tabs.Panel>
        <Tabs.Panel value="orders" className={styles.tab}>
          <BookTable pair={pair} onPrice={onPrice} step={null} />
        </Tabs.Panel>
        <Tabs.Panel value="trades" className={styles.tab}>
          <Tape pair={pair} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
});
