// Texts of the settings of the pages.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'Settings',
  lead: 'This browser keeps these settings, for everyone who uses it.',
  trading: 'Trading',
  confirm: 'Confirm orders',
  confirmWhy:
    'Far prices: an order that moves the price by 2%, a limit 5% past the market, or more than ' +
    'half of a balance.',
  confirmations: { risky: 'Far prices', always: 'Always', never: 'Never' },
  neverWhy: 'Orders and cancels are sent immediately, also by a slip of the hand.',
  shortcuts: 'Keyboard shortcuts on the trade page',
  sounds: 'Sound when an order trades',
  playSound: 'Play it',
  display: 'Display',
  colors: 'Colors',
  schemes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  zone: 'Time zone',
  zoneWhy: 'All times of the pages are in this zone. Days of interest stay UTC days.',
  browserZone: 'As the system',
  now: (time: string) => `Now ${time}`,
};

export const settings = inLanguage({ en });
