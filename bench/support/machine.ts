// Describes the machine of the measurements. A figure without its machine says nothing.
import { statfsSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { ROOT } from './processes.ts';

/** The types of statfs; others are shown by number. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  16914836: 'tmpfs',
  2035054128: 'overlayfs',
  801189825: 'zfs',
};

export type Machine = ReturnType<typeof thisMachine>;

export function thisMachine() {
  const { type } = statfsSync(tmpdir());
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    bun: Bun.version,
    /** The temporary directory's, which has every journal and database of the benchmark. */
    fileSystem: FILE_SYSTEMS[type] ?? `type ${type.toString(16)}`,
  };
}

/** How many processes wanted to run during the last minute, before the benchmark's own. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** The commit, marked when files differ from it; `unknown` outside a repository. */
export function commitNow(): string {
  const git = (...args: string[]): string | null => {
    const { success, stdout } = Bun.spawnSync(['git', ...args], { cwd: ROOT, stderr: 'ignore' });
    return success ? stdout.toString().trim() : null;
  };
  const commit = git('rev-parse', '--short=12', 'HEAD');
  if (commit === null) return 'unknown';
  // The results themselves are no change of what is measured.
  const changed = git('status', '--porcelain', '--', 'src', 'bench', 'package-lock.json');
  return changed === '' ? commit : `${commit} with changes`;
}
