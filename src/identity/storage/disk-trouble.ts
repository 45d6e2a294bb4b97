// Errors of the database that the disk causes; a later try may succeed.
import { SQLiteError } from 'bun:sqlite';

const CODES = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/;

export const isDiskTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && CODES.test(error.code ?? '');
