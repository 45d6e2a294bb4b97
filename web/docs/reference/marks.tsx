// Small parts of the reference: a method, inline code, a block of code, and a table.
import type { ReactNode } from 'react';
import { Scrollable } from '../../components/layout.tsx';
import { Colored } from '../colored.tsx';
import styles from './reference.module.css';

export const Method = ({ method }: { readonly method: string }) => (
  <span className={styles.method} data-method={method}>
    {method}
  </span>
);

/** Renders `code` in backquotes as code. */
export function Marked({ text }: { readonly text: string }) {
  const parts = text
    .split('`')
    .map((part, at) => ({ part, key: `${at} ${part}`, code: at % 2 === 1 }));
  return parts.map(({ part, key, code }) => (code ? <code key={key}>{part}</code> : part));
}

interface CodeProps {
  readonly label: string;
  readonly text: string;
  readonly language?: string;
}

export const Code = ({ label, text, language = 'text' }: CodeProps) => (
  <Scrollable label={label} className={styles.code}>
    <pre>
      <Colored text={text} language={language} />
    </pre>
  </Scrollable>
);

export interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The cells of each row; the first cell that is a name must be unique. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

export const Table = ({ label, columns, rows }: TableProps) => (
  <Scrollable label={label} className={styles.scroll}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, at) => (
              <td key={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scrollable>
);

/** A string, an empty list or object, a bracket, a separator, or space. */
const TOKEN = /("(?:[^"\\]|\\.)*"|[[{]\s*[\]}])|[[{]|[\]}]|,|:|\s+/g;

/** A JSON text with one member per line and its numbers as they are; other texts are unchanged. */
export function indented(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  let depth = 0;
  const line = (change = 0): string => {
    depth = Math.max(0, depth + change);
    return `\n${'  '.repeat(depth)}`;
  };
  return text.replace(TOKEN, (token, whole?: string) => {
    if (whole !== undefined) return whole;
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return token + line();
    return token === ':' ? ': ' : '';
  });
}
