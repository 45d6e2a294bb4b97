// Code with the colors of docs.module.css.
import { tokensOf } from './highlight.ts';

interface ColoredProps {
  readonly text: string;
  /** As a document names it, such as json. */
  readonly language: string;
}

export function Colored({ text, language }: ColoredProps) {
  let at = 0;
  return tokensOf(text, language).map(({ kind, text: part }) => {
    at += part.length;
    return (
      <span key={at} className={kind === null ? undefined : `token-${kind}`}>
        {part}
      </span>
    );
  });
}
