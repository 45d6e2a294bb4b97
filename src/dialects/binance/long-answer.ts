// Writes a long list in pieces. Others are served between two of them, so no answer delays an order
// by the time of the whole list.
import { type JsonOut, JsonText, stringify } from '../../contract/json.ts';

/** About a millisecond of work. */
const PIECE = 250;

/** The list of what `write` makes of each item. */
export async function writeInTurns<T>(
  items: readonly T[],
  write: (item: T) => JsonOut | Promise<JsonOut>,
): Promise<JsonText> {
  const pieces: string[] = [];
  for (let from = 0; from < items.length; from += PIECE) {
    await nextTurn();
    const piece: JsonOut[] = [];
    for (const item of items.slice(from, from + PIECE)) {
      const written = write(item);
      piece.push(written instanceof Promise ? await written : written);
    }
    pieces.push(stringify(piece).slice(1, -1));
  }
  return new JsonText(`[${pieces.join(',')}]`);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
