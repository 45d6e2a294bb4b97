// The seconds until an action is allowed again.
import { useEffect, useState } from 'react';

export interface Countdown {
  /** Whole seconds; 0 at the end. */
  readonly left: number;
  readonly start: (seconds: number) => void;
}

export function useCountdown(initial = 0): Countdown {
  // The state is the end, not the rest, because the timers of a background tab are late.
  const [end, setEnd] = useState(() => performance.now() + initial * 1000);
  const [now, setNow] = useState(() => performance.now());
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (seconds: number) => {
    setNow(performance.now());
    setEnd(performance.now() + seconds * 1000);
  };
  return { left, start };
}
