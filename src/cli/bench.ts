// agio bench: hands over to the benchmarks, which are a program of their own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { about, CliError } from './command.ts';

const PROGRAM = join(import.meta.dir, '../../bench/main.ts');

export const benchCommand = defineCommand({
  meta: about('bench', 'Measures this machine', ['agio bench'], {
    notes: 'All further arguments go to the benchmarks: bun bench/main.ts.',
    passThrough: true,
  }),
  async run({ rawArgs }) {
    if (!existsSync(PROGRAM)) throw new CliError('This installation has no benchmarks (bench/).');
    const child = Bun.spawn([process.execPath, PROGRAM, ...rawArgs], {
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    return child.exited;
  },
});
