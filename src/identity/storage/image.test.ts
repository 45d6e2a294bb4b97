// Rows of identity as texts: what a database has, another one gets, byte for byte.
import { describe, expect, test } from 'bun:test';
import { copyOfImage } from '../../../test/support/identity-rows.ts';
import { addUsers, newDatabase, newMasterKeys } from '../../../test/support/identity-store.ts';
import { MergedChange } from './change.ts';
import { IdentityStore } from './identity-store.ts';

const options = { masterKeys: newMasterKeys(), now: () => 5 };

describe('an image', () => {
  test('becomes a database with the same values', () => {
    const database = newDatabase();
    const store = IdentityStore.over(database, options);
    addUsers(store, 1, Number.MAX_SAFE_INTEGER);
    const texts = ['', 'zero \0 byte, "quoted" \\ and \n', 'é 漢 🙂', null];
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => at * 8);
    for (const [at, text] of texts.entries()) {
      store.run(
        'INSERT INTO sessions VALUES (?, ?, 1, ?, 0, NULL, ?, ?)',
        at,
        bytes.with(0, at),
        -Number.MAX_SAFE_INTEGER,
        text,
        null,
      );
    }
    const copy = copyOfImage(store.image(1)).finish();
    for (const table of ['users', 'sessions', 'mac']) {
      const values = `SELECT * FROM ${table} ORDER BY 1`;
      expect(copy.query(values).values()).toEqual(database.query(values).values());
    }
    expect(copy.query('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(IdentityStore.of(copyOfImage(store.image(1)), options).image(1)).toEqual(store.image(1));
  });

  test('of several writes has the rows that were added and stayed', () => {
    const merged = new MergedChange();
    merged.add({ removed: ['a'], added: ['b', 'c'], mac: 'first' });
    merged.add({ removed: ['b', 'd'], added: ['a', 'e'], mac: 'second' });
    expect(merged.change).toEqual({ removed: ['d'], added: ['c', 'e'], mac: 'second' });
  });
});
