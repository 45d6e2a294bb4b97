// Texts of the keyboard shortcuts of the trade page.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'Keyboard shortcuts',
  show: 'Keyboard shortcuts (?)',
  intro: 'The keys work on this page while you type in no field and no dialog is open.',
  useKeys: 'Use these keys',
  key: 'Key',
  effect: 'Effect',
  escape: 'Esc',
  effects: {
    b: 'Buy',
    s: 'Sell',
    l: 'Limit order',
    m: 'Market order',
    p: 'Type the price',
    q: 'Type the quantity',
    c: 'Cancel your newest order of this pair',
    x: 'Cancel all your orders of this pair',
    a: 'Cancel all your orders',
    '/': 'Search pairs',
    '?': 'Show this list',
  },
  escapes: 'Leave a field; close a dialog',
  settings: 'Confirmations and other settings',
};

export const shortcutTexts = inLanguage({ en });
