// On telephones: buy and sell within reach of the thumb, while the form is further down.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Side } from '../../api/trading.ts';
import type { DraftStore } from './draft.ts';
import styles from './order-form.module.css';

export function QuickBar({ store }: { readonly store: DraftStore }) {
  const hidden = useFormInView();
  const go = (side: Side) => {
    store.change({ side });
    const form = document.getElementById('order-form');
    form?.scrollIntoView({ block: 'start' });
    form?.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.focus({
      preventScroll: true,
    });
  };
  if (hidden) return null;
  return (
    <div className={styles.quick}>
      <Button className={styles.submit} data-side="buy" onClick={() => go('1')}>
        Buy
      </Button>
      <Button className={styles.submit} data-side="sell" onClick={() => go('2')}>
        Sell
      </Button>
    </div>
  );
}

/** Whether the form, or what is below it, is looked at. */
function useFormInView(): boolean {
  const [reached, setReached] = useState(false);
  useEffect(() => {
    const form = document.getElementById('order-form');
    if (form === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => setReached(entry!.isIntersecting || entry!.boundingClientRect.top < 0),
      { threshold: 0.3 },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);
  return reached;
}
