// Small parts of the reference: a method, inline code, a block of code.
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

export const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
  <section className={styles.code} tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
);
