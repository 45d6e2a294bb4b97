// The tags at the lines of own orders: side and quantity. A tag is the handle that moves its order
// to another price, by pointer or by keys. Tags move with each drawing of the chart, without React.
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react';
import { RejectionNote } from '../../../components/layout.tsx';
import { PlainButton, SteadyButton } from '../../../components/texts.tsx';
import { grouped } from '../../../exact/format.ts';
import { feeds } from '../../../live/feeds.ts';
import { useLive } from '../../../live/live.ts';
import { chart as t } from '../../../messages/chart.ts';
import { BOOK_DEPTH } from '../../book/rows.ts';
import { usePair } from '../../context.ts';
import styles from '../chart.module.css';
import type { OrderMark } from './marks.ts';
import { keySteps, type Move, tradesNow } from './move.ts';
import type { OwnLayout } from './own-layer.ts';
import type { MoveControl } from './use-move.ts';

export type PlaceTags = (layout: OwnLayout) => void;

interface OrderTagsProps {
  /** Newest first. */
  readonly orders: readonly OrderMark[];
  /** Set to the function that places the tags. */
  readonly place: RefObject<PlaceTags | null>;
  readonly control: MoveControl;
}

/** Further orders have only a line. */
const MAX_TAGS = 30;
/** Tags of more orders than these are dots. */
const MAX_WORDS = 10;

export function OrderTags({ orders, place, control }: OrderTagsProps) {
  const pair = usePair();
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<OwnLayout | null>(null);
  const keys = useId();
  useEffect(() => {
    place.current = (layout) => {
      last.current = layout;
      if (box.current !== null) placeAll(box.current, layout);
    };
    return () => {
      place.current = null;
    };
  }, [place]);
  const { move } = control;
  const moved = move?.mark.orderId ?? null;
  // Its quantity may have become smaller since.
  const current = orders.find(({ orderId }) => orderId === moved);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change the tags or the question
  useEffect(() => {
    if (last.current !== null) place.current?.(last.current);
  }, [orders, moved, move?.phase, control.action.error]);
  if (orders.length === 0) return null;
  const press = (event: KeyboardEvent, mark: OrderMark) => {
    const steps = keySteps(event);
    if (event.key === 'Enter' && moved === mark.orderId) {
      box.current?.querySelector<HTMLElement>('[data-confirm]')?.focus();
    } else if (steps !== undefined) control.step(mark, steps);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} className={`${styles.tags} figures`} data-compact={orders.length > MAX_WORDS}>
      <VisuallyHidden id={keys}>{t.moveKeys}</VisuallyHidden>
      {orders.slice(0, MAX_TAGS).map((mark) => {
        const { orderId, side, price, quantity } = mark;
        const priceText = grouped(price, pair.priceDecimals);
        const name = t.ownOrderAt(mark, grouped(quantity), priceText);
        if (mark.isFixed) return <FixedTag key={orderId} mark={mark} name={name} />;
        return (
          <button
            key={orderId}
            type="button"
            className={styles.tag}
            data-order={orderId}
            data-side={side}
            aria-label={t.changePrice(name)}
            aria-describedby={keys}
            title={name}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              control.grab(mark, event.clientY);
            }}
            onKeyDown={(event) => press(event, mark)}
          >
            {t.ownOrder(mark, grouped(quantity))}
          </button>
        );
      })}
      {current === undefined || move === null || move.phase === 'dragging' ? null : (
        <MoveChip {...control} move={{ ...move, mark: current }} />
      )}
    </div>
  );
}

interface FixedTagProps {
  readonly mark: OrderMark;
  readonly name: string;
}

/** An exit that its entry will place, or a stop that trails; it cannot be moved. */
const FixedTag = ({ mark, name }: FixedTagProps) => (
  <span
    className={styles.tag}
    data-order={mark.orderId}
    data-side={mark.side}
    data-planned
    title={name}
  >
    {t.ownOrder(mark, grouped(mark.quantity))}
  </span>
);

/** Between two tags, and between a line and its question, in pixels. */
const GAP = 4;
/** Half the height of a tag. */
const HALF = 10;

/** Moves each tag to the line of its order, and hides those out of view. */
function placeAll(box: HTMLElement, { width, height, orders }: OwnLayout): void {
  const placed: TagPlace[] = [];
  for (const tag of box.querySelectorAll<HTMLElement>('[data-order]')) {
    const y = orders.get(Number(tag.dataset.order)) ?? -1;
    tag.hidden = y < 0 || y > height;
    if (tag.hidden) continue;
    const right = freeRight(placed, y, { width: tag.offsetWidth, height: tag.offsetHeight }, width);
    const left = Math.max(0, right - tag.offsetWidth);
    placed.push({ y, left, right });
    tag.style.transform = `translate(${Math.round(left)}px, ${Math.round(y)}px) translateY(-50%)`;
  }
  const chip = box.querySelector<HTMLElement>('[data-moved]');
  const y = orders.get(Number(chip?.dataset.moved));
  if (chip === null || y === undefined) return;
  const [left, room] = [(width - chip.offsetWidth) / 2, height - chip.offsetHeight - GAP];
  // Below the line, or above it near the lower edge.
  const below = y + HALF + GAP;
  const top = below <= room ? below : y - HALF - GAP - chip.offsetHeight;
  const inside = Math.max(GAP, Math.min(room, top));
  chip.style.transform = `translate(${Math.round(Math.max(GAP, left))}px, ${Math.round(inside)}px)`;
}

interface TagPlace {
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** The right edge of a tag: as far right as no other tag is in its way. */
function freeRight(
  placed: readonly TagPlace[],
  y: number,
  { width, height }: { readonly width: number; readonly height: number },
  end: number,
): number {
  const beside = placed
    .filter((other) => Math.abs(other.y - y) <= height)
    .sort((a, b) => b.right - a.right);
  let right = end - 2 * GAP;
  for (const other of beside) {
    if (other.right + GAP > right - width && other.left - GAP < right) right = other.left - GAP;
  }
  return right;
}

interface MoveChipProps extends MoveControl {
  readonly move: Move;
}

function MoveChip({ move, action, use, confirm, cancel }: MoveChipProps) {
  const { symbol, base, priceDecimals } = usePair();
  const { data: book } = useLive(feeds.book(symbol, BOOK_DEPTH));
  const { mark, price } = move;
  const best = { bid: book?.bids[0]?.[0], ask: book?.asks[0]?.[0] };
  const [from, to] = [mark.price, price].map((value) => grouped(value, priceDecimals));
  const what = t.ownOrder(mark, `${grouped(mark.quantity)} ${base}`);
  return (
    <fieldset className={styles.chip} data-moved={mark.orderId} aria-label={t.newPrice}>
      <p aria-live="polite">
        <span className={mark.side}>{what}</span> <span className="dim nowrap">{from} →</span>{' '}
        <b className="nowrap">{to}</b>
      </p>
      {mark.field === 'price' && tradesNow(mark.side, price, best) ? (
        <p className="warn">{t.tradesNow}</p>
      ) : null}
      <RejectionNote
        error={action.error}
        onUse={(nearest, field) => field === mark.field && use(nearest)}
      />
      <div className={styles.chipButtons}>
        <PlainButton size="compact-xs" onClick={cancel}>
          {t.keepPrice}
        </PlainButton>
        <SteadyButton
          size="compact-xs"
          data-confirm
          pending={action.pending}
          off={move.phase === 'sent'}
          onClick={confirm}
        >
          {t.confirmMove}
        </SteadyButton>
      </div>
    </fieldset>
  );
}
