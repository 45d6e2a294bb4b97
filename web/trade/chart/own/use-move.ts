// The move of an open order to another price: by pointer, by keys, and its confirmation. The chart
// draws the line at the new price meanwhile.
import { useWindowEvent } from '@mantine/hooks';
import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../../../api/clients.ts';
import { type Action, useAction } from '../../../components/action.ts';
import { toPixels } from '../../../exact/decimal.ts';
import { usePair } from '../../context.ts';
import type { ChartView } from '../chart-view.ts';
import type { OrderMark } from './marks.ts';
import { asked, type Move, nearestPrice, stepPrice } from './move.ts';

export interface MoveControl {
  readonly move: Move | null;
  /** A pointer takes an order at a height of the page; it leaves it when its button goes up. */
  readonly grab: (mark: OrderMark, clientY: number) => void;
  readonly step: (mark: OrderMark, steps: number) => void;
  readonly use: (nearest: string) => void;
  readonly confirm: () => void;
  readonly cancel: () => void;
  readonly action: Action<[Move], unknown>;
  /** A press on a line takes its order. */
  readonly onMouseDownCapture: (event: MouseEvent) => void;
}

export function useMove(
  view: RefObject<ChartView | null>,
  container: RefObject<HTMLElement | null>,
  orders: readonly OrderMark[],
): MoveControl {
  const pair = usePair();
  const [move, setMove] = useState<Move | null>(null);
  const action = useAction(
    ({ mark: { orderId, field }, price }: Move) => client.amendOrder({ orderId, [field]: price }),
    {
      refreshes: [['orders'], ['balances']],
      onDone: () => setMove((sent) => sent && { ...sent, phase: 'sent' }),
    },
  );
  const { clear } = action;
  const cancel = useCallback(() => {
    setMove(null);
    clear();
  }, [clear]);
  useDraft(view, move);
  useEnd(move, orders, cancel);
  useEscape(move, cancel);
  const grab = (mark: OrderMark, clientY: number) => {
    const from = move?.mark.orderId === mark.orderId ? move.price : mark.price;
    const top = container.current!.getBoundingClientRect().top;
    const line = view.current?.own.heightOf(mark.orderId) ?? clientY - top;
    const offset = clientY - top - line;
    let price = from;
    clear();
    follow({
      onMove({ clientY: y }) {
        const at = view.current?.priceAt(y - top - offset) ?? null;
        if (at === null) return;
        price = nearestPrice(at, pair);
        setMove({ mark, price, phase: 'dragging' });
      },
      onEnd: () => setMove(asked({ mark, price })),
    });
  };
  const step = (mark: OrderMark, steps: number) => {
    const from = move?.mark.orderId === mark.orderId ? move.price : mark.price;
    clear();
    setMove(asked({ mark, price: stepPrice(from, steps, pair) }));
  };
  return {
    move,
    action,
    grab,
    step,
    use: (nearest) => {
      clear();
      setMove((shown) => shown && asked({ ...shown, price: nearest }));
    },
    confirm: () => void (move !== null && action.run(move)),
    cancel,
    onMouseDownCapture(event) {
      const top = container.current!.getBoundingClientRect().top;
      const mark = event.button === 0 ? view.current?.own.orderAt(event.clientY - top) : null;
      if (mark == null) return;
      // Otherwise the chart would follow the pointer, too.
      event.stopPropagation();
      event.preventDefault();
      grab(mark, event.clientY);
    },
  };
}

interface Following {
  readonly onMove: (event: PointerEvent) => void;
  readonly onEnd: () => void;
}

/** Follows the pointer until its button goes up. */
function follow({ onMove, onEnd }: Following): void {
  const end = () => {
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
    onEnd();
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}

/** Draws the line at the new price. */
function useDraft(view: RefObject<ChartView | null>, move: Move | null): void {
  const id = move?.mark.orderId;
  const price = move?.price;
  useEffect(() => {
    const draft =
      id === undefined || price === undefined ? null : { orderId: id, price: toPixels(price) };
    view.current?.setOwn({ draft });
  }, [view, id, price]);
}

/**
 * A move ends with its order, and once it was sent, with the next change of the orders. The report
 * may come before the answer: then the order has the price already.
 */
function useEnd(move: Move | null, orders: readonly OrderMark[], end: () => void): void {
  const sentWith = useRef<readonly OrderMark[] | null>(null);
  useEffect(() => {
    if (move === null) return;
    const order = orders.find(({ orderId }) => orderId === move.mark.orderId);
    if (move.phase !== 'sent') sentWith.current = orders;
    else if (sentWith.current !== orders || order?.price === move.price) end();
    if (order === undefined) end();
  }, [move, orders, end]);
}

/** In the capture phase, so that the full screen stays. */
function useEscape(move: Move | null, cancel: () => void): void {
  const press = (event: KeyboardEvent) => {
    if (move === null || event.key !== 'Escape') return;
    event.preventDefault();
    cancel();
  };
  useWindowEvent('keydown', press, { capture: true });
}
