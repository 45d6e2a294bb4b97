// Forms about users: the fields that depend on a choice, and what a user without enterprise is.
import { expect, test } from 'bun:test';
import { fieldsIn, parseFields } from '../parts/fields.ts';
import { EMPTY_KEY, EMPTY_USER, finishTerms, keyLayout, newUserLayout } from './user-form.ts';

const ENTERPRISES = [{ enterpriseId: 1, name: 'Acme' }] as never;

test('only a member of an enterprise can be its admin', () => {
  const namesWith = (enterpriseId: string) =>
    fieldsIn(newUserLayout(ENTERPRISES)({ ...EMPTY_USER, enterpriseId })).map(({ name }) => name);
  expect(namesWith('')).not.toContain('enterpriseAdmin');
  expect(namesWith('1')).toContain('enterpriseAdmin');
});

test('a user who leaves an enterprise is no admin', () => {
  expect(finishTerms({ enterpriseId: null })).toEqual({
    enterpriseId: null,
    enterpriseAdmin: false,
  });
});

test('a new key has both guards and both trading privileges to begin with', () => {
  const result = parseFields(keyLayout(), { ...EMPTY_KEY, alias: 'bot' });
  expect(result).toEqual({
    ok: true,
    body: {
      alias: 'bot',
      moduleIds: [5, 6],
      ipAllowList: null,
      expiresAt: null,
      strictClOrdId: false,
      replayGuard: true,
    },
  });
});
