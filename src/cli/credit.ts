// agio credit: money that has arrived for a customer.
import { about } from './command.ts';
import { transferCommand } from './transfer-command.ts';

export const creditCommand = transferCommand(
  'credit',
  about('credit', 'Credits a user with money that has arrived', [
    'agio credit 7 USDT 1000 --reference wire-20260807-1',
  ]),
);
