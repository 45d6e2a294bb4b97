// A page that is gone to is read from its top; one that is gone back to, from where it was left.
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

export function useScrollToTop(): void {
  const [path] = useLocation();
  const shown = useRef(path);
  const isBack = useRef(false);
  useEffect(() => {
    const note = () => {
      isBack.current = true;
    };
    // Before the router hears of it, which draws at once.
    window.addEventListener('popstate', note, { capture: true });
    return () => window.removeEventListener('popstate', note, { capture: true });
  }, []);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // The browser restores the place by itself.
    if (!isBack.current) window.scrollTo(0, 0);
    isBack.current = false;
  }, [path]);
}
