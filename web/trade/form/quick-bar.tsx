// On telephones: buy and sell within reach of the thumb, while the form is further down.

import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import type { DraftStore } from './draft.ts';
import styles from './order-form.module.css';
import { showOrderForm } from './show-form.ts';

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
        Buy
      </Button>
      <Button className={styles.submit} data-side="sell" onClick={() => go(Side.sell)}>
        Sell
      </Button>
    </div>
  );
}

/** How much of the form has to have come into the window. */
const REACHED = 0.3;

/** Whether the form, or what is below it, is looked at. */
function useFormInView(): boolean {
  const [reached, setReached] = useState(false);
  useEffect(() => {
    const form = document.getElementById('order-form');
    if (form === null) return;
    // What is above the window counts as seen. A jump from before the form to behind it would not be noticed otherwise: no part
    // of it is seen before, and none after.
    const observer = new IntersectionObserver(
      ([entry]) => setReached(entry!.intersectionRatio >= REACHED),
      { threshold: REACHED, rootMargin: '100000px 0px 0px' },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);
  return reached;
}
