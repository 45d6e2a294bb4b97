// The tags at the lines of own orders: side and quantity. They move with each drawing of the chart,
// without React.
import { type RefObject, useEffect, useRef } from 'react';
import { grouped } from '../../../exact/format.ts';
import { chart as t } from '../../../messages/chart.ts';
import styles from '../chart.module.css';
import type { OrderMark } from './marks.ts';
import type { OwnLayout } from './own-layer.ts';

export type PlaceTags = (layout: OwnLayout) => void;

interface OrderTagsProps {
  /** Newest first. */
  readonly orders: readonly OrderMark[];
  /** Set to the function that places the tags. */
  readonly place: RefObject<PlaceTags | null>;
}

/** Further orders have only a line. */
const MAX_TAGS = 30;
/** Tags of more orders than these are dots. */
const MAX_WORDS = 10;

export function OrderTags({ orders, place }: OrderTagsProps) {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<OwnLayout | null>(null);
  useEffect(() => {
    place.current = (layout) => {
      last.current = layout;
      if (list.current !== null) placeAll(list.current, layout);
    };
    return () => {
      place.current = null;
    };
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other orders have other tags
  useEffect(() => {
    if (last.current !== null) place.current?.(last.current);
  }, [orders]);
  if (orders.length === 0) return null;
  return (
    <ul ref={list} className={`${styles.tags} figures`} data-compact={orders.length > MAX_WORDS}>
      {orders.slice(0, MAX_TAGS).map(({ orderId, side, price, quantity }) => (
        <li
          key={orderId}
          className={styles.tag}
          data-order={orderId}
          data-side={side}
          title={t.ownOrderAt(side === 'buy', grouped(quantity), grouped(price))}
        >
          {t.ownOrder(side === 'buy', grouped(quantity))}
        </li>
      ))}
    </ul>
  );
}

/** The height of a tag and the gap to the next one, in pixels. */
const TALL = 21;
const GAP = 4;

/** Moves each tag to the line of its order, and hides those out of view. */
function placeAll(list: HTMLElement, { width, height, orders }: OwnLayout): void {
  const placed: { readonly y: number; readonly left: number }[] = [];
  for (const tag of list.children as Iterable<Element> as Iterable<HTMLElement>) {
    const y = orders.get(Number(tag.dataset.order)) ?? -1;
    tag.hidden = y < 0 || y > height;
    if (tag.hidden) continue;
    // Tags that would overlap stand beside each other.
    const beside = placed.filter((other) => Math.abs(other.y - y) < TALL);
    const right = Math.min(width - 2 * GAP, ...beside.map(({ left }) => left - GAP));
    const left = Math.max(0, right - tag.offsetWidth);
    placed.push({ y, left });
    tag.style.transform = `translate(${Math.round(left)}px, ${Math.round(y)}px) translateY(-50%)`;
  }
}
