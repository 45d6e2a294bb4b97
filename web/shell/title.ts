// The title of the window, which only this module writes.
import { useEffect, useState } from 'react';

/** By the order in which the components first rendered: a part of a page comes after the page. */
const titles = new Map<number, string>();
let next = 0;

/** The title while the component is shown. A part of a page precedes the page around it. */
export function useTitle(text: string): void {
  const [order] = useState(() => next++);
  useEffect(() => {
    titles.set(order, text);
    show();
    return () => {
      titles.delete(order);
      show();
    };
  }, [order, text]);
}

function show(): void {
  const innermost = titles.get(Math.max(...titles.keys()));
  document.title = innermost === undefined ? 'agio' : `${innermost} · agio`;
}
