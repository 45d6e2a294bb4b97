// agio bench: hands over to the benchmarks, which are a program of their own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, rawCommand } from './command.ts';

const PROGRAM = join(import.meta.dir, '../../bench/main.ts');

export const benchCommand = rawCommand({
  name: 'bench',
  summary: 'Measures this machine',
  examples: ['agio bench'],
  notes: 'All further arguments go to the benchmarks: bun bench/main.ts.',
  async run(rawArgs) {
    if (!existsSync(PROGRAM)) throw new CliError('This installation has no benchmarks (bench/).');
    const child = Bun.spawn([process.execPath, PROGRAM, ...rawArgs], {
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    return child.exited;
  },
});
