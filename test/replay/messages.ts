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

export function lineOf(message: Message): string {
  const { type, order } = message;
  switch (type) {
    case 'A':
      return `A ${order} ${message.side} ${message.quantity} ${message.price}`;
    case 'R':
      return `R ${order} ${message.quantity}`;
    case 'X':
      return `X ${order}`;
    case 'U':
      return `U ${order} ${message.quantity} ${message.price}`;
    case 'E':
      return `E ${order} ${message.quantity} ${message.taker}`;
  }
}

/** Throws Error for a line that is no message. */
export function parseLine(line: string): Message {
  const [type, ...words] = line.split(' ');
  const side = type === 'A' ? words.splice(1, 1)[0] : undefined;
  const numbers = words.map(Number);
  const [order, quantity, last] = numbers as [number, number, number];
  const counts: Readonly<Record<string, number>> = { A: 3, R: 2, X: 1, U: 3, E: 3 };
  const isWhole = numbers.every((n) => Number.isSafeInteger(n) && n > 0);
  const isSided = type !== 'A' || side === 'B' || side === 'S';
  if (!isWhole || !isSided || numbers.length !== counts[type!]) {
    throw new Error(`no message: ${line}`);
  }
  if (type === 'A') return { type, order, side: side as SideLetter, quantity, price: last };
  if (type === 'R') return { type, order, quantity };
  if (type === 'X') return { type, order };
  if (type === 'U') return { type, order, quantity, price: last };
  return { type: 'E', order, quantity, taker: last };
}
