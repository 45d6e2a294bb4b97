// Writes the generated parts of the documents and the API references. `npm run gen` runs it, and
// writes the clients' generated code too; test/docs/generated.test.ts compares the documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../build-files.ts';
import { SETTINGS } from '../src/config-settings.ts';
import { type ApiCall, fieldsOf } from '../src/contract/call.ts';
import { allCalls } from '../src/contract/calls.ts';
import { documentation } from '../src/contract/fields.ts';
import type { ObjectField } from '../src/contract/object.ts';
import { MAX_PAGE_ROWS } from '../src/contract/paging.ts';
import type { Field, JsonSchema } from '../src/contract/wire.ts';
import { ENDPOINTS } from '../src/dialects/binance/endpoints.ts';
import { addedCalls, extendedCalls, nullableFields } from './extensions.ts';
import { markdownTable } from './markdown.ts';
import { asyncapiText } from './reference/asyncapi.ts';
import { errorTables } from './reference/errors.ts';
import { openapiText } from './reference/openapi.ts';
import { sample } from './samples.ts';
import { writeClientCode } from './sdk/generate.ts';
import { methodsTable } from './sdk/methods.ts';

const DOCS = import.meta.dir;

/**
 * The text of every generated document, by path. Throws for a marker that nothing fits.
 */
export function generatedDocuments(): ReadonlyMap<string, string> {
  const filled = ['binance.md', 'errors.md', 'operating.md', 'rest.md', 'sdk.md'].map(
    (name): [string, string] => {
      const path = join(DOCS, name);
      return [path, fill(readFileSync(path, 'utf8'))];
    },
  );
  return new Map([
    [join(DOCS, 'openapi.json'), openapiText()],
    [join(DOCS, 'asyncapi.json'), asyncapiText()],
    ...filled,
  ]);
}

const BLOCK = /<!-- generated: (.+) -->\n[\s\S]*?<!-- end -->/g;

function fill(text: string): string {
  return text.replace(
    BLOCK,
    (_, name: string) => `<!-- generated: ${name} -->\n\n${contentOf(name)}\n\n<!-- end -->`,
  );
}

function contentOf(name: string): string {
  const errorTable = errorTables[name];
  if (errorTable !== undefined) return errorTable();
  if (name === 'settings') return settingsTable();
  if (name === 'operator calls') return operatorTable();
  if (name === 'long reads') return longReads(allCalls);
  if (name === 'long reads of Binance') return longReads(binanceReads);
  if (name.startsWith('sdk ')) return methodsTable(name.slice('sdk '.length));
  if (name === 'added calls') return addedCalls();
  if (name === 'extended calls') return extendedCalls();
  if (name === 'nullable fields') return nullableFields();
  if (name.startsWith('request ')) return sample('request', name.slice('request '.length));
  if (name.startsWith('answer ')) return sample('answer', name.slice('answer '.length));
  const call = allCalls.find(({ method, path }) => `${method} ${path}` === name);
  if (call === undefined) throw new Error(`Nothing is generated for the marker "${name}".`);
  return parameterTable(fieldsOf(call));
}

function settingsTable(): string {
  const rows = SETTINGS.map((row) => [
    row.inFile ? `\`${row.name}\`` : '–',
    row.usage === null ? '–' : `\`${row.usage}\``,
    `\`${row.env}\``,
    row.defaultText,
    `${row.sentence} Accepts ${row.accepts}.`,
  ]);
  return markdownTable(['in the file', 'flag', 'environment', 'default', 'meaning'], rows);
}

function operatorTable(): string {
  const rows = allCalls
    .filter(({ access }) => access === 'operator')
    .map((call) => [`\`${call.method} ${call.path}\``, fieldList(call), summaryOf(call)]);
  return markdownTable(['call', 'fields', 'what'], rows);
}

interface ListRead extends Pick<ApiCall, 'method' | 'path' | 'maxRows'> {}

const binanceReads: readonly ListRead[] = ENDPOINTS.map(({ verb, path, endpoint }) => ({
  method: verb as 'GET',
  path: path.replace('/binance/api/v3/', ''),
  maxRows: endpoint.maxRows,
}));

/** The calls that may read more than one page, and what they cost at most. */
function longReads(reads: readonly ListRead[]): string {
  const rows = reads
    .filter(({ maxRows }) => maxRows !== MAX_PAGE_ROWS)
    .map(({ method, path, maxRows }) => [
      `\`${method} ${path}\``,
      maxRows === null ? 'no bound' : maxRows.toLocaleString('en'),
      maxRows === null ? 'one for each 1,000 rows' : Math.ceil(maxRows / MAX_PAGE_ROWS),
    ]);
  return markdownTable(['call', 'rows at most', 'calls at most'], rows);
}

const summaryOf = ({ summary, about }: ApiCall): string =>
  about === undefined ? summary : `${summary} ${about}`;

/** The names of the fields; optional ones have a question mark. */
function fieldList(call: ApiCall): string {
  const names = Array.from(fieldsOf(call).fields, ([name, field]) =>
    field.optional ? `${name}?` : name,
  );
  return names.length === 0 ? '–' : `\`${names.join(', ')}\``;
}

function parameterTable({ fields }: ObjectField<unknown>): string {
  if (fields.size === 0) return 'No parameters.';
  const rows = Array.from(fields, ([name, field]) => [
    `\`${name}\``,
    formOf(field.toJsonSchema()),
    field.optional ? absentText(field) : 'required',
    documentation(field.toJsonSchema()),
  ]);
  return markdownTable(['field', 'form', 'if left out', 'meaning'], rows);
}

/** An empty text as default does not help a reader. */
const absentText = ({ absent }: Field<unknown>): string =>
  absent === undefined || absent === '' ? '–' : String(absent);

function formOf(schema: JsonSchema): string {
  const { type, format, minimum, maximum, maxLength } = schema;
  if (Array.isArray(schema.enum)) {
    const values: readonly (string | number)[] = schema.enum;
    const numeric = values.some((value) => typeof value === 'number');
    const distinct = new Set(values.map(String));
    const both = numeric && values.length > distinct.size ? ' (number or string)' : '';
    return [...distinct].map((value) => `\`${value}\``).join(', ') + both;
  }
  if (format === 'id') return 'id: string of digits';
  if (format === 'decimal') {
    if (schema.exclusiveMinimum === 0) return 'decimal above 0';
    return minimum === 0 ? 'decimal, 0 or above' : 'decimal';
  }
  if (format === 'int64') {
    if (minimum === undefined) return 'integer';
    return maximum === undefined
      ? `integer from ${minimum}`
      : `integer from ${minimum} to ${maximum}`;
  }
  return type === 'string' ? `text of at most ${maxLength} characters` : String(type);
}

if (import.meta.main) {
  for (const [path, text] of generatedDocuments()) replaceFile(path, text);
  writeClientCode();
}
