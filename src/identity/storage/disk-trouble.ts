// Errors of the database that the disk is to blame for, and that a later try may not meet again.
import { SQLiteError } from 'bun:sqlite';

const CODES = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/;

export const isDiskTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && CODES.test(error.code ?? '');
