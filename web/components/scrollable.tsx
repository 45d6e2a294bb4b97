// A named region that scrolls; the keyboard can focus it.
import type { ReactNode } from 'react';

export interface ScrollableProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export const Scrollable = ({ label, className, children }: ScrollableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
  <section className={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
