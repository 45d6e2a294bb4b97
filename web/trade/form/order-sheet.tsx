// The order form on phones: a sheet from the bottom, and the buy and sell buttons that open it.
import { Button, Drawer } from '@mantine/core';
import { type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { Side } from '../../../src/sdk/index.ts';
import { trade as t } from '../../messages/trade.ts';
import { useDesk } from '../context.ts';
import styles from './order-form.module.css';
import { OrderFormPanel } from './order-form.tsx';

type Field = 'price' | 'quantity';

export interface Sheet {
  readonly isOpen: boolean;
  /** Opens it with the focus in a field, which shows the keyboard of the phone. */
  readonly open: (field?: Field) => void;
  readonly close: () => void;
}

export function useSheet(): Sheet {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((field?: Field) => {
    // The dialog focuses the marked element, or else its first one.
    document.querySelector(`#order-form [${AUTOFOCUS}]`)?.removeAttribute(AUTOFOCUS);
    if (field !== undefined) inputOf(field)?.setAttribute(AUTOFOCUS, '');
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return useMemo(() => ({ isOpen, open, close }), [isOpen, open, close]);
}

const AUTOFOCUS = 'data-autofocus';

/** The input of a field; a market buy may have a total in place of the quantity. */
function inputOf(field: Field): HTMLInputElement | null | undefined {
  const form = document.getElementById('order-form');
  const wanted = form?.querySelector<HTMLInputElement>(`#order-${field}`);
  return wanted ?? form?.querySelector<HTMLInputElement>('input[inputmode="decimal"]');
}

export const focusField = (field: Field): void => inputOf(field)?.focus();

export function OrderSheet({ sheet }: { readonly sheet: Sheet }) {
  const { pair, store } = useDesk();
  const pull = usePull(sheet.close);
  const go = (side: Side) => {
    store.change({ side });
    sheet.open();
  };
  return (
    <>
      <div className={styles.quick}>
        <Button className={styles.submit} data-side="buy" onClick={() => go(Side.buy)}>
          {t.buy}
        </Button>
        <Button className={styles.submit} data-side="sell" onClick={() => go(Side.sell)}>
          {t.sell}
        </Button>
      </div>
      <Drawer
        opened={sheet.isOpen}
        onClose={sheet.close}
        title={t.form.title(pair.symbol)}
        position="bottom"
        size="auto"
        keepMounted
        classNames={{ content: styles.sheet, header: styles.sheetHead, body: styles.sheetBody }}
        styles={{ content: pull.style }}
        overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
      >
        <div className={styles.grip} aria-hidden {...pull.handlers}>
          <span />
        </div>
        <OrderFormPanel inSheet />
      </Drawer>
    </>
  );
}

/** Pulled down this far, the sheet closes, px. */
const PULL_PX = 90;

/** Follows a finger that pulls the sheet down. */
function usePull(close: () => void) {
  const start = useRef<number | null>(null);
  const [pulled, setPulled] = useState(0);
  const end = () => {
    start.current = null;
    setPulled(0);
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      start.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientY }: PointerEvent) {
      if (start.current !== null) setPulled(Math.max(0, clientY - start.current));
    },
    onPointerUp({ clientY }: PointerEvent) {
      const isFar = start.current !== null && clientY - start.current > PULL_PX;
      end();
      if (isFar) close();
    },
    onPointerCancel: end,
  };
  return { handlers, style: pulled === 0 ? {} : { translate: `0 ${pulled}px` } };
}
