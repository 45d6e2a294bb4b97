// The buy and sell buttons on phones, within reach of the thumb while the form is out of view.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import { trade as t } from '../../messages/trade.ts';
import type { DraftStore } from './draft.ts';
import styles from './order-form.module.css';

export function QuickBar({ store }: { readonly store: DraftStore }) {
  const hidden = useFormInView();
  const go = (side: Side) => {
    store.change({ side });
    showOrderForm('first');
  };
  if (hidden) return null;
  return (
    <div className={styles.quick}>
      <Button className={styles.submit} data-side="buy" onClick={() => go(Side.buy)}>
        {t.buy}
      </Button>
      <Button className={styles.submit} data-side="sell" onClick={() => go(Side.sell)}>
        {t.sell}
      </Button>
    </div>
  );
}

/** Scrolls to the form and focuses its quantity, or its first field. */
export function showOrderForm(field: 'quantity' | 'first'): void {
  const form = document.getElementById('order-form');
  const inputs = form?.querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]') ?? [];
  const wanted = [...inputs].find(({ id }) => field === 'first' || id === 'order-quantity');
  form?.scrollIntoView({ block: 'start' });
  wanted?.focus({ preventScroll: true });
}

/** The part of the form that must be in the window. */
const IN_VIEW = 0.3;

/** Whether the form, or something below it, is in view. */
function useFormInView(): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const form = document.getElementById('order-form');
    if (form === null) return;
    // The margin counts everything above the window as seen. Otherwise a jump from before the form
    // to behind it goes unnoticed, because the form is out of view both times.
    const observer = new IntersectionObserver(
      ([entry]) => setInView(entry!.intersectionRatio >= IN_VIEW),
      { threshold: IN_VIEW, rootMargin: '100000px 0px 0px' },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);
  return inView;
}
