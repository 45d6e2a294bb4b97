// The messages of an exchange's order feed as lines of text, in the manner of ITCH: what happens to
// resting orders, each under the exchange's own number.
//
//   A <order> <B|S> <quantity> <price>      an order rests at the end of the queue of its price
//   R <order> <quantity>                    it is reduced by this quantity and keeps its place
//   X <order>                               it is canceled
//   U <order> <quantity> <price>            it is replaced and goes to the end of a queue
//   E <order> <quantity> <taker>            it trades; executions of one taker have its number

export type SideLetter = 'B' | 'S';

export type Message =
  | { type: 'A'; order: number; side: SideLetter; quantity: number; price: number }
  | { type: 'R'; order: number; quantity: number }
  | { type: 'X'; order: number }
  | { type: 'U'; order: number; quantity: number; price: number }
  | { type: 'E'; order: number; quantity: number; taker: number };

export type Execution = Extract<Message, { type: 'E' }>;

/** The words behind the letter. */
const WORDS: { readonly [T in Message['type']]: readonly string[] } = {
  A: ['order', 'side', 'quantity', 'price'],
  R: ['order', 'quantity'],
  X: ['order'],
  U: ['order', 'quantity', 'price'],
  E: ['order', 'quantity', 'taker'],
};

export const lineOf = (message: Message): string =>
  [message.type, ...WORDS[message.type].map((word) => message[word as keyof Message])].join(' ');

/** Throws Error for a line that is no message. */
export function parseLine(line: string): Message {
  const [type, ...words] = line.split(' ');
  const names = WORDS[type as Message['type']];
  const read = (word: string, name: string): unknown => {
    if (name === 'side') return word === 'B' || word === 'S' ? word : undefined;
    const n = Number(word);
    return Number.isSafeInteger(n) && n > 0 ? n : undefined;
  };
  const values = names?.map((name, i) => [name, read(words[i] ?? '', name)] as const);
  if (words.length !== names?.length || values.some(([, value]) => value === undefined)) {
    throw new Error(`no message: ${line}`);
  }
  return { type, ...Object.fromEntries(values) } as Message;
}
