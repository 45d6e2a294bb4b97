// PostgreSQL as nodes of a cluster under test use it: a primary with disks of its own for its data
// and its WAL, which a test fills, and with a synchronous standby.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import type { SharedDatabase } from './real-cluster.ts';

/** The folder of each disk in that of the server, and its room. The WAL is kept short. */
const DISKS = { data: ['data', '256m'], wal: ['data/pg_wal', '160m'] } as const;
const SETTINGS = 'max_wal_size = 64MB\nmin_wal_size = 32MB\n';
/** More files than the WAL has. */
const MAX_SWITCHES = 20;

export type DiskName = keyof typeof DISKS;

export class PostgresPair implements SharedDatabase {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The mounted disks of the primary; none where this user may not mount one. */
  readonly #disks: Disks;

  private constructor(primary: PostgresServer, standby: PostgresServer, disks: Disks) {
    this.primary = primary;
    this.standby = standby;
    this.#disks = disks;
  }

  static async start(): Promise<PostgresPair> {
    const primary = await createStoreServer(SETTINGS);
    const disks = new Map<DiskName, string>();
    try {
      for (const name of ['data', 'wal'] as const) {
        const disk = await moveToOwnDisk(primary, name);
        if (disk !== null) disks.set(name, disk);
      }
      return new PostgresPair(primary, await primary.addStandby(), disks);
    } catch (error) {
      await primary.dispose();
      for (const disk of disks.values()) unmount(disk);
      throw error;
    }
  }

  get ports(): readonly number[] {
    return [this.primary.port, this.standby.port];
  }

  get hasOwnDisks(): boolean {
    return this.#disks.size > 0;
  }

  #fillerOf(name: DiskName): string {
    return join(this.#disks.get(name)!, 'filler');
  }

  /** Leaves no byte of a disk of the primary free. */
  fillDisk(name: DiskName): void {
    const filler = `of=${this.#fillerOf(name)}`;
    const dd = ['dd', 'if=/dev/zero', filler, 'bs=64k', 'oflag=append', 'conv=notrunc'];
    Bun.spawnSync(dd, { stderr: 'ignore' });
  }

  /** Fills the disk of the WAL until the primary, which needs the next file of it, gives up. */
  async exhaustWal(): Promise<void> {
    for (let left = MAX_SWITCHES; left > 0; left--) {
      this.fillDisk('wal');
      const switched = this.primary.query('SELECT pg_switch_wal()');
      if ((await switched.catch(() => null)) === null) return;
    }
    throw new Error('PostgreSQL still finds room for its WAL');
  }

  /** Makes room; starts the primary, as its supervisor would, where it has given up. */
  async freeDisk(name: DiskName): Promise<void> {
    rmSync(this.#fillerOf(name), { force: true });
    await until(async () => {
      if (!this.primary.isRunning) await this.primary.start();
      // A server that is giving up answers nothing, and may end a moment later.
      return (await this.primary.query('SELECT 1').catch(() => null)) !== null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.standby.dispose();
    await this.primary.dispose();
    for (const disk of this.#disks.values()) unmount(disk);
  }
}

type Disks = ReadonlyMap<DiskName, string>;

/** Disks in use, so that none outlives this process. */
const mounted = new Set<string>();
process.on('exit', () => mounted.forEach(unmount));

/** Moves a folder to a file system of its own; null where that needs another user. */
async function moveToOwnDisk(server: PostgresServer, name: DiskName): Promise<string | null> {
  const disk = mkdtempSync(join(tmpdir(), 'agio-disk-'));
  const [folder, size] = DISKS[name];
  const data = join(server.directory, folder);
  const owner = Bun.spawnSync(['stat', '-c', 'uid=%u,gid=%g', data]).stdout.toString().trim();
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${size},mode=0700,${owner}`, 'tmpfs', disk];
  if (!run(mount)) {
    rmSync(disk, { recursive: true });
    return null;
  }
  await server.stop();
  run(['cp', '-a', `${data}/.`, disk]);
  rmSync(data, { recursive: true });
  run(['ln', '-s', disk, data]);
  mounted.add(disk);
  await server.start();
  return disk;
}

function unmount(disk: string): void {
  mounted.delete(disk);
  run(['umount', '-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}

const run = (command: string[]): boolean =>
  Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success;
