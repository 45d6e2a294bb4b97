// A disk in memory that fails as disks and power supplies do, from a seed. Writes land in a page
// cache; a sync makes them durable, and a sync of the directory the names. A crash keeps synced
// data and a random subset of the unsynced sectors; a kill keeps the page cache. A mount implements
// the port of the file journal.
import type { Disk, DiskFile, OpenMode } from '../../src/journal/disk.ts';
import { Prng } from '../support/prng.ts';

/** The largest unit that drives promise to write whole or not at all. */
const SECTOR_BYTES = 512;

/** The error of every operation after the machine or the process is gone. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash';
}

/**
 * The operations that change something, and so can crash or fail. A durable write is two: it fills
 * the page cache, which readers see, and syncs.
 */
export const DISK_OPERATIONS = [
  'write',
  'datasync',
  'create',
  'rename',
  'remove',
  'syncDirectory',
] as const;
export type DiskOperation = (typeof DISK_OPERATIONS)[number];
type FaultCode = 'EIO' | 'ENOSPC';

interface SimulatedDiskOptions {
  readonly seed: number;
  /** The bytes that all files together may take before writes fail with ENOSPC. */
  readonly capacityBytes?: number;
  /** Durable files that are there from the start. */
  readonly image?: ReadonlyMap<string, Uint8Array>;
  /** How long an operation takes; some turns of the microtask queue unless it is given. */
  readonly latency?: (random: Prng) => Promise<void>;
}

interface Fault {
  readonly operation: DiskOperation;
  readonly code: FaultCode;
  /** How many operations of that kind still succeed. */
  skip: number;
}

/** The contents of a file: what a reader sees, what survives a crash, and how the two differ. */
class Inode {
  cache = new Uint8Array(0);
  durable = new Uint8Array(0);
  /** Sectors written since the last sync, in the order of the first write. */
  readonly dirty = new Set<number>();

  write(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.length;
    if (end > this.cache.length) this.cache = resized(this.cache, end);
    this.cache.set(bytes, offset);
    for (const sector of sectorsOf(offset, bytes.length)) this.dirty.add(sector);
  }

  /** Syncs the dirty part of a range. A page that a failed sync has dropped stays lost. */
  sync(offset: number, length: number): void {
    const end = offset + length;
    if (end > this.durable.length) this.durable = resized(this.durable, end);
    for (const sector of sectorsOf(offset, length)) {
      if (this.dirty.delete(sector)) this.#persist(sector);
    }
  }

  #persist(sector: number): void {
    const start = sector * SECTOR_BYTES;
    const end = Math.min(start + SECTOR_BYTES, this.cache.length);
    if (end > this.durable.length) this.durable = resized(this.durable, end);
    this.durable.set(this.cache.subarray(start, end), start);
  }

  /** Lets a random subset of the unsynced sectors become durable, and drops the others. */
  scatter(random: Prng): void {
    // Nothing and everything are likelier than chance would have them, since both find faults.
    const share = random.pick([0, 0.25, 0.5, 0.75, 1]);
    for (const sector of this.dirty) {
      if (random.below(1000) < share * 1000) this.#persist(sector);
    }
    this.dirty.clear();
  }
}

function* sectorsOf(offset: number, length: number): Generator<number> {
  const last = Math.floor((offset + length - 1) / SECTOR_BYTES);
  for (let sector = Math.floor(offset / SECTOR_BYTES); sector <= last; sector++) yield sector;
}

function resized(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length);
  grown.set(bytes.subarray(0, length));
  return grown;
}

/** An error as the system gives it. */
function systemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

const MESSAGES: Readonly<Record<FaultCode, string>> = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
};

type Names = Map<string, Inode>;
type NameChange = (names: Names) => void;

/** Nothing is left behind by an operation that ended early. */
const NOTHING = () => undefined;

export class SimulatedDisk {
  readonly random: Prng;
  /** How long an operation takes. */
  readonly latency: (random: Prng) => Promise<void>;
  readonly #capacity: number;
  #names: Names = new Map();
  #durableNames: Names = new Map();
  /** Changes of names since the last directory sync, in order, as in a journaling file system. */
  #unsyncedNames: NameChange[] = [];
  #faults: Fault[] = [];
  #crashIn = Number.POSITIVE_INFINITY;
  #gone = false;
  #life = 0;

  constructor(options: SimulatedDiskOptions) {
    this.random = new Prng(options.seed);
    this.latency = options.latency ?? someTurns;
    this.#capacity = options.capacityBytes ?? Number.POSITIVE_INFINITY;
    this.restore(options.image ?? new Map());
  }

  // The controls of a test.

  /** Replaces all files with those of an image, durably, as a backup does. */
  restore(image: ReadonlyMap<string, Uint8Array>): void {
    this.#names = new Map();
    for (const [name, bytes] of image) {
      const inode = new Inode();
      inode.write(bytes, 0);
      inode.sync(0, bytes.length);
      this.#names.set(name, inode);
    }
    this.#durableNames = new Map(this.#names);
    this.#unsyncedNames = [];
  }

  /**
   * The disk as the process of this life sees it; it goes dead with the next `crash` or `kill`.
   * Writes are synced unless `isDurable` is false.
   */
  mount(isDurable = true): Disk {
    return new Mount(this, this.#life, isDurable);
  }

  /** The machine loses power within the operation that comes after `operations` more of them. */
  crashAfter(operations: number): void {
    this.#crashIn = operations;
  }

  /** The next operation of the kind, after `skip` successful ones, fails with `code`, once. */
  failNext(operation: DiskOperation, code: FaultCode, skip = 0): void {
    this.#faults.push({ operation, code, skip });
  }

  /** Some operation, one of the next `within` of its kind, fails once. */
  failAny(random: Prng, operations: readonly DiskOperation[], within: number): void {
    const code = random.pick(['EIO', 'ENOSPC'] as const);
    this.failNext(random.pick(operations), code, random.below(within));
  }

  /** Ends and restores power: durable data stays, with some of the rest. */
  crash(): void {
    for (const inode of new Set([...this.#names.values(), ...this.#durableNames.values()])) {
      inode.scatter(this.random);
      inode.cache = inode.durable.slice();
    }
    const survived = this.random.between(0, this.#unsyncedNames.length);
    for (const change of this.#unsyncedNames.slice(0, survived)) change(this.#durableNames);
    this.#unsyncedNames = [];
    this.#names = new Map(this.#durableNames);
    this.kill();
  }

  /** The process dies and the system lives on: nothing is lost, nothing becomes durable by it. */
  kill(): void {
    this.#life++;
    this.#gone = false;
    this.#faults = [];
    this.#crashIn = Number.POSITIVE_INFINITY;
  }

  /** Rot: turns one bit over, on the platter and in the cache. */
  flipBit(name: string, bit: number): void {
    const { cache, durable } = this.find(name);
    const byte = Math.floor(bit / 8);
    for (const bytes of [cache, durable]) {
      if (byte < bytes.length) bytes[byte] ^= 1 << (bit % 8);
    }
  }

  /** True if a crash asked for with `crashAfter` has come. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Copies of all files as a reader sees them now. */
  image(): Map<string, Uint8Array> {
    const entries = [...this.#names].map(([name, inode]) => [name, inode.cache.slice()] as const);
    return new Map(entries);
  }

  // The calls of a mount. Each operation begins in `#enter`, where it may end early.

  /** Throws when the life that `life` counts is over. */
  requireLife(life: number): void {
    if (this.#gone || life !== this.#life) throw new SimulatedCrash('the process is gone');
  }

  names(): string[] {
    return [...this.#names.keys()];
  }

  find(name: string): Inode {
    const inode = this.#names.get(name);
    if (inode === undefined) throw systemError('ENOENT', `no such file or directory '${name}'`);
    return inode;
  }

  create(name: string): Inode {
    if (this.#names.has(name)) throw systemError('EEXIST', `file already exists '${name}'`);
    const inode = new Inode();
    this.#changeNames('create', (names) => names.set(name, inode));
    return inode;
  }

  rename(from: string, to: string): void {
    const inode = this.find(from);
    this.#changeNames('rename', (names) => {
      names.delete(from);
      names.set(to, inode);
    });
  }

  remove(name: string): void {
    this.find(name);
    this.#changeNames('remove', (names) => names.delete(name));
  }

  syncDirectory(): void {
    this.#enter('syncDirectory', NOTHING, NOTHING);
    this.#durableNames = new Map(this.#names);
    this.#unsyncedNames = [];
  }

  write(inode: Inode, bytes: Uint8Array, offset: number): void {
    const partly = () => {
      const part = this.random.between(0, bytes.length);
      if (part > 0) inode.write(bytes.subarray(0, part), offset);
    };
    this.#enter('write', partly, partly);
    const grown = Math.max(0, offset + bytes.length - inode.cache.length);
    if (this.#used() + grown > this.#capacity) throw systemError('ENOSPC', MESSAGES.ENOSPC);
    inode.write(bytes, offset);
  }

  datasync(inode: Inode, offset: number, length: number): void {
    // A sync that fails has written some pages, and the system takes the others for written.
    this.#enter('datasync', NOTHING, () => inode.scatter(this.random));
    inode.sync(offset, length);
  }

  #used(): number {
    let used = 0;
    for (const inode of this.#names.values()) used += inode.cache.length;
    return used;
  }

  #changeNames(operation: DiskOperation, change: NameChange): void {
    const perhaps = () => {
      if (this.random.oneIn(2)) this.#unsyncedNames.push(change);
    };
    this.#enter(operation, perhaps, NOTHING);
    change(this.#names);
    this.#unsyncedNames.push(change);
  }

  #enter(operation: DiskOperation, atCrash: () => void, atFault: () => void): void {
    if (this.#crashIn-- <= 0) {
      atCrash();
      this.#gone = true;
      throw new SimulatedCrash(`power was lost in a ${operation}`);
    }
    const fault = this.#faults.find((each) => each.operation === operation);
    if (fault === undefined || fault.skip-- > 0) return;
    this.#faults.splice(this.#faults.indexOf(fault), 1);
    atFault();
    throw systemError(fault.code, MESSAGES[fault.code]);
  }
}

/** The directory as one life of the process sees it. */
class Mount implements Disk {
  readonly directory = '/simulated/journal';
  readonly #disk: SimulatedDisk;
  readonly #life: number;
  readonly #isDurable: boolean;

  constructor(disk: SimulatedDisk, life: number, isDurable: boolean) {
    this.#disk = disk;
    this.#life = life;
    this.#isDurable = isDurable;
  }

  /** A name that is added or removed during a listing may be listed or not. */
  async list(): Promise<string[]> {
    const { random } = this.#disk;
    const boundary = random.next();
    const salt = String(random.next());
    const early = (name: string) => Bun.hash.crc32(salt + name) < boundary;
    await this.#turn();
    const first = this.#disk.names().filter(early);
    await this.#turn();
    return [...first, ...this.#disk.names().filter((name) => !early(name))];
  }

  async open(name: string, mode: OpenMode): Promise<DiskFile> {
    await this.#turn();
    const inode = mode === 'create' ? this.#disk.create(name) : this.#disk.find(name);
    return this.#handle(inode);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#turn();
    this.#disk.rename(from, to);
  }

  async remove(name: string): Promise<void> {
    await this.#turn();
    this.#disk.remove(name);
  }

  async syncDirectory(): Promise<void> {
    await this.#turn();
    this.#disk.syncDirectory();
  }

  #handle(inode: Inode): DiskFile {
    let closed = false;
    const requireOpen = () => {
      if (closed) throw systemError('EBADF', 'bad file descriptor');
    };
    const turn = async () => {
      await this.#turn();
      requireOpen();
    };
    return {
      size: async () => {
        await turn();
        return inode.cache.length;
      },
      read: async (into, offset) => {
        await turn();
        const bytes = inode.cache.subarray(offset, offset + into.length);
        into.set(bytes);
        return bytes.length;
      },
      write: async (bytes, offset) => {
        await turn();
        this.#disk.write(inode, bytes, offset);
        if (!this.#isDurable) return;
        await turn();
        this.#disk.datasync(inode, offset, bytes.length);
      },
      close: async () => {
        await turn();
        closed = true;
      },
    };
  }

  /** Takes its time; what the life has begun and not finished when it ends, it never does. */
  async #turn(): Promise<void> {
    await this.#disk.latency(this.#disk.random);
    this.#disk.requireLife(this.#life);
  }
}

/**
 * A random number of microtasks: the seed decides the order of events. Rarely, an operation is slow
 * enough for another to complete a series of them.
 */
async function someTurns(random: Prng): Promise<void> {
  const most = random.oneIn(16) ? 100 : 4;
  for (let turns = random.below(most); turns >= 0; turns--) await Promise.resolve();
}
