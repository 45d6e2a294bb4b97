// The colors of a new color scheme on a canvas, which cannot read CSS.
import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';

export function useRecolor(recolor: () => void): void {
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scheme means new colors
  useEffect(() => {
    // The page has its new colors in the next frame.
    const frame = requestAnimationFrame(recolor);
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
}
