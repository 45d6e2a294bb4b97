// The memory journal has nothing beyond the contract.
import { journalContract } from './journal-contract.ts';
import { MemoryJournal } from './memory-journal.ts';

journalContract('the memory journal', async () => ({
  durable: false,
  open: async () => new MemoryJournal(),
  dispose: async () => undefined,
}));
