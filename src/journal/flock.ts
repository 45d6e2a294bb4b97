// flock(2), which neither Node nor Bun offers. The kernel keeps the lock with the open file, not
// with its name, and releases it when the process ends. Bun opens files close-on-exec.
import { dlopen, FFIType, type Pointer, read } from 'bun:ffi';
import { constants } from 'node:os';

const LOCK_EX = 2;
const LOCK_NB = 4;
const { EINTR, EWOULDBLOCK } = constants.errno;

/** Where the C library is and what it calls the address of errno. */
const SYSTEMS: Partial<Record<NodeJS.Platform, { libraries: string[]; errno: string }>> = {
  linux: {
    libraries: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
    errno: '__errno_location',
  },
  darwin: { libraries: ['libSystem.B.dylib'], errno: '__error' },
};

type System = Readonly<{ flock: (fd: number) => number; errno: () => number }>;
let system: System | undefined;

/**
 * Locks an open file or directory until it is closed. Returns false when another open file has the
 * lock, in this process or another.
 */
export function lockExclusively(fd: number): boolean {
  system ??= load();
  for (;;) {
    if (system.flock(fd) === 0) return true;
    const errno = system.errno();
    if (errno === EWOULDBLOCK) return false;
    if (errno !== EINTR) throw new Error(`flock failed with error ${errno}`);
  }
}

function load(): System {
  const known = SYSTEMS[process.platform];
  if (known === undefined) throw new Error(`agio has no file locks on ${process.platform}`);
  for (const library of known.libraries) {
    try {
      const { symbols } = dlopen(library, {
        flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
        [known.errno]: { args: [], returns: FFIType.ptr },
      });
      const flock = symbols.flock as (fd: number, operation: number) => number;
      const errnoAddress = symbols[known.errno] as () => Pointer;
      return {
        flock: (fd) => flock(fd, LOCK_EX | LOCK_NB),
        errno: () => read.i32(errnoAddress(), 0),
      };
    } catch {
      // The C library has another name on this system.
    }
  }
  throw new Error(`no C library was found (${known.libraries.join(', ')})`);
}
