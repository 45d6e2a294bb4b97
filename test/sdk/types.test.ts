// The list of integer fields is exactly what the types of the answers call a number. The compiler checks it; at run time there is
// only the list to look at.
import { expect, test } from 'bun:test';
import type { AgioClient } from '../../src/sdk/client.ts';
import { INTEGER_FIELDS } from '../../src/sdk/integer-fields.ts';
import type { OperatorClient } from '../../src/sdk/operator-client.ts';
import type { StreamMessages } from '../../src/sdk/stream-messages.ts';
import type { UserCenterClient } from '../../src/sdk/user-center-client.ts';

/** The names under which T has numbers, at any depth. */
type NumbersOf<T> = T extends readonly (infer Item)[]
  ? NumbersOf<Item>
  : T extends object
    ? NamesIn<{
        [Name in keyof T & string as string extends Name ? never : Name]-?: OfMember<
          Name,
          NonNullable<T[Name]>
        >;
      }>
    : never;
type NamesIn<Members> = Members[keyof Members];
/** What is always null is of no type. */
type OfMember<Name, T> = [T] extends [never]
  ? never
  : T extends number | readonly number[]
    ? Name
    : NumbersOf<T>;

/** What the methods of a client answer. */
type AnswersOf<Client> = {
  [Name in keyof Client]: Client[Name] extends (...args: never[]) => Promise<infer Answer>
    ? Answer
    : never;
}[keyof Client];

type Numbers =
  | NumbersOf<AnswersOf<AgioClient> | AnswersOf<UserCenterClient> | AnswersOf<OperatorClient>>
  | NumbersOf<StreamMessages>
  // Of every legacy error.
  | 'errorCode';
type Listed = (typeof INTEGER_FIELDS)[number];

const missing: Exclude<Numbers, Listed>[] = [];
const tooMany: Exclude<Listed, Numbers>[] = [];
const noneIsMissing: [Exclude<Numbers, Listed>] extends [never] ? true : never = true;
const noneIsTooMany: [Exclude<Listed, Numbers>] extends [never] ? true : never = true;

test('each is listed once', () => {
  expect([noneIsMissing, noneIsTooMany, missing, tooMany]).toEqual([true, true, [], []]);
  expect(new Set<string>(INTEGER_FIELDS).size).toBe(INTEGER_FIELDS.length);
});
