// The database of a cluster, as commands name it.
import { KnownDatabase } from '../cluster/postgres/known-database.ts';
import { PostgresStore } from '../cluster/postgres/postgres-store.ts';
import { CliError } from './command.ts';
import { printError } from './output.ts';

export const DATABASE_ARG = {
  'database-url': {
    type: 'string',
    valueHint: 'URL',
    description: 'The database of the cluster (AGIO_DATABASE_URL).',
  },
} as const;

/** The URL that was named, or null. */
export const databaseUrl = (choice: { readonly 'database-url'?: string | undefined }) =>
  choice['database-url'] ?? (process.env.AGIO_DATABASE_URL || null);

/** Throws CliError where none was named. */
export function requireDatabaseUrl(choice: Parameters<typeof databaseUrl>[0]): string {
  const url = databaseUrl(choice);
  if (url !== null) return url;
  throw new CliError('No database: name one with --database-url, or set AGIO_DATABASE_URL.');
}

/** The store for the files of a node, which may run: it alone writes what it has seen. */
export const storeBeside = (dataDir: string, url: string, command: string): PostgresStore =>
  new PostgresStore({
    url,
    node: command,
    known: new KnownDatabase({ dataDir, isReadOnly: true, warn: printError }),
  });
