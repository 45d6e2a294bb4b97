// Preloaded into a process of its own: the private fields of the core (`#name`) become ordinary
// ones, so that a test can compare everything that an object of the core consists of.
import { readFileSync } from 'node:fs';
import { plugin } from 'bun';

plugin({
  name: 'open fields',
  setup(build) {
    build.onLoad({ filter: /\/src\/core\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/#([A-Za-z]\w*)/g, '$$$$$1'),
      loader: 'ts',
    }));
  },
});
