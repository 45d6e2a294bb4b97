// Answers as lists of names: a table says how each field of a row is written, and an answer lists
// the fields that it has.
import { type JsonOut, JsonText, stringify } from '../../contract/json.ts';

/** The writers of the fields of a row; undefined leaves a field out. */
export type Columns<R> = Readonly<Record<string, (row: R) => JsonOut>>;

/**
 * Writes a row as the listed fields, whose names are apart by spaces. `p:price` is the column
 * `price` under the name `p`.
 */
export function writer<R>(columns: Columns<R>, list: string): (row: R) => JsonText {
  const fields = list.split(' ').map((each) => {
    const [name, column = name] = each.split(':') as [string, string?];
    return { key: `${JSON.stringify(name)}:`, write: columns[column]! };
  });
  return (row) => {
    let text = '{';
    let separator = '';
    for (const { key, write } of fields) {
      const value = write(row);
      if (value === undefined) continue;
      text += separator + key + stringify(value);
      separator = ',';
    }
    return new JsonText(`${text}}`);
  };
}

/** The listed fields, whose names are apart by spaces, with one value. */
export const same = <T extends JsonOut>(list: string, value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(list.split(' ').map((name) => [name, value]));

/** A column that is the same in every row. */
export const always = (value: JsonOut) => () => value;
