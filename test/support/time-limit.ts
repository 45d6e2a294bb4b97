// The one time limit of every test: a test fails by what it finds, not by a busy machine. Bun
// resets the limit before each test file, so it is set whenever a test file is loaded.

import { setDefaultTimeout } from 'bun:test';
import { plugin } from 'bun';

const LIMIT_MS = 300_000;

plugin({
  name: 'time limit',
  setup: (build) => {
    build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => {
      setDefaultTimeout(LIMIT_MS);
      return { contents: await Bun.file(path).text(), loader: 'ts' };
    });
  },
});
