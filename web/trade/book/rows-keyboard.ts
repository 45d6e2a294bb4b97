// The rows of a book by keyboard: one stop of the tab key, and the arrows from row to row.
import type { KeyboardEvent } from 'react';

/** Rows may be drawn from the bottom up, so the next row is looked for by where it stands. */
export function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const rows = [...event.currentTarget.querySelectorAll('button')].sort(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  const next = rows[at + (event.key === 'ArrowUp' ? -1 : 1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
