// Rows by keyboard: the arrows lead from one to the next.
import type { KeyboardEvent } from 'react';

/**
 * Moves the focus among the elements that `selector` finds. Rows may be drawn from the bottom up, so the next one is looked for
 * by where it stands.
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
