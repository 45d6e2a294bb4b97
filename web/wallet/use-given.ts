// The assets that were drawn today, for every button that could draw them again.
import { useState } from 'react';
import { useNow } from '../earn/feeds.ts';
import { type Given, isGiven, noted } from './faucet.ts';

export interface GivenToday {
  readonly isGiven: (asset: string) => boolean;
  /** The asset was drawn, or refused because it had been. */
  readonly note: (asset: string) => void;
}

export function useGiven(): GivenToday {
  const now = useNow();
  const [given, setGiven] = useState<Given>(new Map());
  return {
    isGiven: (asset) => isGiven(given, asset, now),
    note: (asset) => setGiven((before) => noted(before, asset, now)),
  };
}
