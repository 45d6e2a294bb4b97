// agio debit: money that leaves for a customer.
import { about } from './command.ts';
import { transferCommand } from './transfer-command.ts';

export const debitCommand = transferCommand(
  'debit',
  about('debit', 'Debits a user for money that leaves', [
    'agio debit 7 BTC 0.25 --reference withdrawal-311',
  ]),
);
