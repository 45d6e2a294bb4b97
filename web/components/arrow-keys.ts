// Arrow keys in a list of rows.
import type { KeyboardEvent } from 'react';

/**
 * Moves the focus up or down among the elements of `selector`. Rows may be drawn from the bottom
 * up, so their position on the screen decides which one is next.
 */
export function moveAlong(event: KeyboardEvent<HTMLElement>, selector = 'button'): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)].sort(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at + (event.key === 'ArrowUp' ? -1 : 1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
