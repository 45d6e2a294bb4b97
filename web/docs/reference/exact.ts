// Formats JSON without parsing its numbers, so that every digit stays.

const INDENT = '  ';

/** A JSON text with one member per line; other texts are unchanged. */
export function laidOut(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  let out = '';
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (inText) {
      out += character;
      if (character === '\\') out += text[++i] ?? '';
      else if (character === '"') inText = false;
      continue;
    }
    if (character === '"') inText = true;
    const next = text[i + 1];
    if ('[{'.includes(character)) {
      if (next === ']' || next === '}') {
        out += character + next;
        i++;
        continue;
      }
      depth++;
      out += `${character}\n${INDENT.repeat(depth)}`;
    } else if (']}'.includes(character)) {
      depth--;
      out += `\n${INDENT.repeat(Math.max(0, depth))}${character}`;
    } else if (character === ',') {
      out += `,\n${INDENT.repeat(depth)}`;
    } else if (character === ':') {
      out += ': ';
    } else if (!/\s/.test(character)) {
      out += character;
    }
  }
  return out;
}
