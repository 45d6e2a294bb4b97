#!/usr/bin/env bun
// The command line of agio: everything an operator does on a machine. Each command is a file in
// cli/.
import { run } from './cli/run.ts';

// Files of agio have people's money and orders, so only their owner may read them.
process.umask(0o077);
process.exit(await run(process.argv.slice(2)));
