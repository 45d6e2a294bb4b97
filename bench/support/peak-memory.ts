// The resident memory of a process and its peak, by the accounts of Linux; NaN elsewhere.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const HAS_ACCOUNTS = existsSync('/proc/self/clear_refs');
const RESET_PEAK = '5';

function statusBytes(pid: number, name: string): number {
  if (!HAS_ACCOUNTS) return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1024;
}

/** The peak counts from here on. Returns the bytes that the process has now. */
export function resetPeak(pid: number): number {
  if (HAS_ACCOUNTS) writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  return statusBytes(pid, 'VmRSS');
}

export const peakOf = (pid: number): number => statusBytes(pid, 'VmHWM');
