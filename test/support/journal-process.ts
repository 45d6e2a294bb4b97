// A process for the journal tests, since locks and kills mean something between real processes
// only:
//   append DATA         appends batches for ever and prints each seq once it is durable
//   lock DATA           locks the directory, prints `locked`, and waits to be killed
//   lock-and-spawn DATA  the same with a child process, whose pid it prints
//   tail DATA LAST      reads beside the writer until command LAST, then prints how many it read
import { lockDataDirectory } from '../../src/journal/data-lock.ts';
import { openFileJournal, openJournalReader } from '../../src/journal/open-journal.ts';
import { sameBytes } from '../../src/journal/record.ts';
import { batchAfter, payloadOf } from './journal-contract.ts';

const APPENDED_BYTES = 200;

async function append(dataDirectory: string): Promise<void> {
  const journal = await openFileJournal(dataDirectory, { segmentBytes: 4096 });
  for (;;) {
    const { seq } = await journal.append(batchAfter(journal.head, APPENDED_BYTES));
    await Bun.write(Bun.stdout, `${seq}\n`);
  }
}

async function lock(dataDirectory: string): Promise<void> {
  lockDataDirectory(dataDirectory);
  await Bun.write(Bun.stdout, 'locked\n');
  await Bun.sleep(60_000);
}

async function lockAndSpawn(dataDirectory: string): Promise<void> {
  lockDataDirectory(dataDirectory);
  const child = Bun.spawn(['sleep', '60'], { stdio: ['ignore', 'ignore', 'ignore'] });
  await Bun.write(Bun.stdout, `child ${child.pid}\n`);
  await Bun.sleep(60_000);
}

async function tail(dataDirectory: string, lastSeq: number): Promise<void> {
  const reader = openJournalReader(dataDirectory);
  let next = 1;
  while (next <= lastSeq) {
    for await (const group of reader.read(next)) {
      for (const { firstSeq, count, payload } of group) {
        const good = firstSeq === next && sameBytes(payload, payloadOf(firstSeq, payload.length));
        if (!good) throw new Error(`command ${next} was read wrongly`);
        next += count;
      }
    }
  }
  await reader.close();
  await Bun.write(Bun.stdout, `${next - 1}\n`);
}

if (import.meta.main) {
  const [command, dataDirectory, lastSeq] = process.argv.slice(2);
  if (command === 'append') await append(dataDirectory);
  else if (command === 'lock') await lock(dataDirectory);
  else if (command === 'lock-and-spawn') await lockAndSpawn(dataDirectory);
  else await tail(dataDirectory, Number(lastSeq));
}
