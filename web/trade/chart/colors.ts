// The colors of the page for drawings on a canvas, which cannot read CSS.
import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';

export type Colors = ReturnType<typeof colorsOfPage>;

/** The current colors; another color scheme has others. */
export function colorsOfPage() {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    panel: of('--panel'),
    grid: of('--panel-raised'),
    line: of('--line'),
    label: of('--mantine-color-brand-7'),
    accent: of('--chart-1'),
    text: of('--text'),
    textDim: of('--text-dim'),
    buy: of('--buy'),
    sell: of('--sell'),
    buySoft: of('--buy-soft'),
    sellSoft: of('--sell-soft'),
    buySolid: of('--buy-solid'),
    sellSolid: of('--sell-solid'),
    /** The colors of the indicators, in their order. */
    lines: Array.from({ length: 6 }, (_, i) => of(`--chart-${i + 1}`)),
  };
}

/** Calls `recolor` with each color scheme. */
export function useRecolor(recolor: () => void): void {
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scheme means new colors
  useEffect(() => {
    // The page has its new colors in the next frame.
    const frame = requestAnimationFrame(recolor);
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
}
