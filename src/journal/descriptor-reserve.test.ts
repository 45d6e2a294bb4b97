// Files that have to be opened when every descriptor is in use, in a process that may have few of
// them.
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const PROGRAM = `
import { closeSync, openSync, promises, readdirSync } from 'node:fs';
import { withDescriptor, withSpare } from '${join(import.meta.dir, 'descriptor-reserve.ts')}';

await withDescriptor(async () => undefined);
const taken = [];
const use = () => {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    return error.code;
  }
};
const plain = use();
const waited = await withDescriptor(() => promises.open('/dev/null', 'r'));
const again = use();
const opened = withSpare(() => openSync('/dev/null', 'r'));
const listed = withSpare(() => readdirSync('/').length > 0);
use();
const absent = () => promises.open('/no/such/file', 'r');
const other = await withDescriptor(absent).catch(({ code }) => code);
// All that was kept is used up; a descriptor that becomes free is enough.
for (let n = 0; n < 8; n++) {
  try { withSpare(() => taken.push(openSync('/dev/null', 'r'))); } catch {}
  use();
}
const late = withDescriptor(() => promises.open('/dev/null', 'r'));
closeSync(taken.pop());
const [found, inTime] = [waited.fd > 0, (await late).fd > 0];
const answers = { plain, again, waited: found, opened: opened > 0, listed, other, late: inTime };
console.log(JSON.stringify(answers));
process.exit(0);
`;

test.skipIf(process.platform === 'win32')(
  'a file is opened with a descriptor that was kept, or as soon as one is free',
  async () => {
    const command = ['sh', '-c', 'ulimit -n 96; exec "$@"', 'sh', process.execPath, '-e', PROGRAM];
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', env: { NO_COLOR: '1' } });
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ code: await child.exited, errors }).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(out)).toEqual({
      plain: 'EMFILE',
      again: 'EMFILE',
      waited: true,
      opened: true,
      listed: true,
      other: 'ENOENT',
      late: true,
    });
  },
);
