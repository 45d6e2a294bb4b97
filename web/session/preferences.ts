// The user's settings of the pages, which this browser remembers; the time zone is in
// exact/zone.ts.
import { stored, storedChoice } from './stored.ts';

/** Which orders the user confirms: risky ones (order form/estimate.ts), all, or none. */
export const CONFIRMATIONS = ['risky', 'always', 'never'] as const;
export const confirmations = storedChoice('agio.confirmations', CONFIRMATIONS);

/** Plays a sound when an order trades. */
export const sounds = storedChoice('agio.sounds', ['off', 'on']);

/** Set while the user has turned the keyboard shortcuts of the trade page off. */
export const shortcutsOff = stored(localStorage, 'agio.shortcutsOff');
