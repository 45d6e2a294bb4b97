// The handle between the chart and the orders. The browser remembers the height of the orders as a
// share of the window.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { trade as t } from '../messages/trade.ts';
import { stored } from '../session/stored.ts';
import styles from './page.module.css';

const height = stored(localStorage, 'agio.ordersHeight');
/** Percent of the window. */
const [MIN, USUAL, MAX, STEP] = [14, 26, 70, 4];

const within = (percent: number): number => Math.min(MAX, Math.max(MIN, Math.round(percent)));

/** null until the user chooses one. */
function useOrdersHeight(): number | null {
  const chosen = Number(height.use());
  return chosen >= MIN && chosen <= MAX ? chosen : null;
}

/** The style of the desk that has the chosen height. */
export function useChosenOrders(): Record<`--${string}`, string> {
  const chosen = useOrdersHeight();
  return chosen === null ? {} : { '--chosen-orders': `${chosen}dvh` };
}

export function Splitter() {
  const chosen = useOrdersHeight() ?? USUAL;
  const isPulled = useRef(false);
  const set = (percent: number) => height.set(String(within(percent)));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    set(chosen + by);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    isPulled.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const end = () => {
    isPulled.current = false;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has no keyboard
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t.page.ordersHeight}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      aria-valuenow={chosen}
      title={t.page.ordersHeightHint}
      className={styles.splitter}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientY }) => {
        if (isPulled.current) set((1 - clientY / window.innerHeight) * 100);
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => height.set(null)}
    />
  );
}
