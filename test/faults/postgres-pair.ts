// PostgreSQL as nodes of a cluster under test use it: a primary on a disk of its own, which a test
// fills, with a synchronous standby.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import type { SharedDatabase } from './real-cluster.ts';

/** Room for the data and the WAL, which is kept short. */
const DISK = '256m';
const SETTINGS = 'max_wal_size = 64MB\nmin_wal_size = 32MB\n';

export class PostgresPair implements SharedDatabase {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The disk of the primary; null where this user may not mount one. */
  readonly #disk: string | null;

  private constructor(primary: PostgresServer, standby: PostgresServer, disk: string | null) {
    this.primary = primary;
    this.standby = standby;
    this.#disk = disk;
  }

  static async start(): Promise<PostgresPair> {
    const primary = await createStoreServer(SETTINGS);
    const disk = await moveToOwnDisk(primary);
    try {
      return new PostgresPair(primary, await primary.addStandby(), disk);
    } catch (error) {
      await primary.dispose();
      unmount(disk);
      throw error;
    }
  }

  get ports(): readonly number[] {
    return [this.primary.port, this.standby.port];
  }

  get hasOwnDisk(): boolean {
    return this.#disk !== null;
  }

  get #filler(): string {
    return join(this.#disk!, 'filler');
  }

  /** Leaves no byte of the primary's disk free. */
  fillDisk(): void {
    Bun.spawnSync(['dd', 'if=/dev/zero', `of=${this.#filler}`, 'bs=64k'], { stderr: 'ignore' });
  }

  /** Makes room; starts the primary, as its supervisor would, where it has given up. */
  async freeDisk(): Promise<void> {
    rmSync(this.#filler, { force: true });
    if (!this.primary.isRunning) await this.primary.start();
  }

  async dispose(): Promise<void> {
    await this.standby.dispose();
    await this.primary.dispose();
    unmount(this.#disk);
  }
}

/** Disks in use, so that none outlives this process. */
const disks = new Set<string>();
process.on('exit', () => disks.forEach(unmount));

/** Moves its files to a file system of their own; null where that needs another user. */
async function moveToOwnDisk(server: PostgresServer): Promise<string | null> {
  const disk = mkdtempSync(join(tmpdir(), 'agio-disk-'));
  const data = join(server.directory, 'data');
  const owner = Bun.spawnSync(['stat', '-c', 'uid=%u,gid=%g', data]).stdout.toString().trim();
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${DISK},mode=0700,${owner}`, 'tmpfs', disk];
  if (!run(mount)) {
    rmSync(disk, { recursive: true });
    return null;
  }
  await server.stop();
  run(['cp', '-a', `${data}/.`, disk]);
  rmSync(data, { recursive: true });
  run(['ln', '-s', disk, data]);
  disks.add(disk);
  await server.start();
  return disk;
}

function unmount(disk: string | null): void {
  if (disk === null) return;
  disks.delete(disk);
  run(['umount', '-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}

const run = (command: string[]): boolean =>
  Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success;
