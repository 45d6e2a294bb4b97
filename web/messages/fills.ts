// Texts about fills and rejected exits on every page: the notifications, and the history behind the
// bell.
import { inLanguage, plural } from './catalog.ts';

const en = {
  filled: 'Order filled',
  partlyFilled: 'Order partly filled',
  several: (count: number) => `${count} orders traded`,
  verb: (bought: boolean) => (bought ? 'Bought' : 'Sold'),
  traded: (bought: boolean, quantity: string, average: string) =>
    `${bought ? 'Bought' : 'Sold'} ${quantity} at ${average} on average.`,
  others: (count: number) => plural(count, { one: 'And 1 other.', other: `And ${count} others.` }),
  bell: 'Fills',
  bellUnread: (count: number) => `Fills, ${count} unread`,
  title: 'Fills',
  clear: 'Clear',
  none: 'No fills yet',
  noneWhy: 'When an order trades, you see it here and on every page.',
  at: (average: string) => `at ${average}`,
  of: (filled: string, ordered: string) => `${filled} of ${ordered}`,
  unread: 'Unread: ',
  noExits: 'Position without exits',
  noExitsWhy: (quantity: string, reason: string) =>
    `${quantity} has no target and no stop. ${reason}.`,
};

export const fillTexts = inLanguage({ en });
