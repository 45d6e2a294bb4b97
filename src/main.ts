#!/usr/bin/env bun
// The command line of agio: everything an operator does on a machine. Each command is a file in
// cli/.
import { run } from './cli/run.ts';

// What agio writes holds people's money and orders: nobody but its owner reads it, in whatever
// directory it lies.
process.umask(0o077);
process.exit(await run(process.argv.slice(2)));
