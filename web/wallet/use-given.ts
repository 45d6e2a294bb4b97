// What of the play money of today is gone, for every button that would ask for it again.
import { useState } from 'react';
import { useNow } from '../earn/feeds.ts';
import { type Given, isGiven, noted } from './faucet.ts';

export interface GivenToday {
  readonly isGiven: (asset: string) => boolean;
  /** It was given, or refused because it had been. */
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
