// The samples of docs/rest.md: requests and answers that a server gave to the tests, which record
// them in examples.json. A long list shows its first item.
import { withoutExponent } from '../src/contract/decimal.ts';
import { operations, readExamples } from './reference/openapi.ts';

const EXPONENT = /-?\d+(?:\.\d+)?e[+-]?\d+/g;

/** The sample of a call, as `POST /path`; the whole one is a fenced block. */
export function sample(part: 'request' | 'answer', name: string): string {
  const operation = operations().find(({ call }) => `${call.method} ${call.path}` === name);
  if (operation === undefined) throw new Error(`No call is "${name}", so it has no sample.`);
  const example = readExamples()[operation.operationId]!;
  // The answer of a batch has an item for each entry.
  const answer = operation.call.write ? example.answer : shortened(example.answer);
  const value = part === 'request' ? example.body : answer;
  const text = JSON.stringify(value).replaceAll(EXPONENT, withoutExponent);
  return `\`\`\`json\n${text}\n\`\`\``;
}

/** Lists of objects and of lists show one item; a list of numbers or texts is one value. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isLong = value.length > 1 && typeof value[0] === 'object' && value[0] !== null;
    return (isLong ? value.slice(0, 1) : value).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortened(member)]),
  );
}
