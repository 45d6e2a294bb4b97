// Describes the machine of the measurements. A figure without its machine says nothing.
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { ROOT } from './processes.ts';

/** The output of a command; null where it fails. */
function outputOf(...command: string[]): string | null {
  const { success, stdout } = Bun.spawnSync(command, { cwd: ROOT, stderr: 'ignore' });
  return success ? stdout.toString().trim() : null;
}

export type Machine = ReturnType<typeof thisMachine>;

export function thisMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    bun: Bun.version,
    /** The temporary directory's, which has every journal and database of the benchmark. */
    fileSystem: outputOf('df', '--output=fstype', tmpdir())?.split('\n')[1] ?? 'unknown',
  };
}

/** How many processes wanted to run during the last minute, before the benchmark's own. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** The commit, marked when files differ from it; `unknown` outside a repository. */
export function commitNow(): string {
  const commit = outputOf('git', 'rev-parse', '--short=12', 'HEAD');
  if (commit === null) return 'unknown';
  // The results themselves are no change of what is measured.
  const paths = ['src', 'bench', 'package-lock.json'];
  const changed = outputOf('git', 'status', '--porcelain', '--', ...paths);
  return changed === '' ? commit : `${commit} with changes`;
}
