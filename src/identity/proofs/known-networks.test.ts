// Known networks: across restarts, bounded, fading, and of no use to who reads the file.
import type { Database } from 'bun:sqlite';
import { beforeEach, expect, test } from 'bun:test';
import {
  newDatabase,
  newMasterKeys,
  reopened,
  storeOver,
} from '../../../test/support/identity-store.ts';
import type { MasterKey } from '../master-key.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { KnownNetworks } from './known-networks.ts';

const DAY = 24 * 60 * 60_000;
const ANN = 'password|ann@example.com';
const HOME = '203.0.113.0/24';

let now: number;
let database: Database;
let store: IdentityStore;
let keys: readonly MasterKey[];
const open = () => new KnownNetworks(store, () => now);

beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  database = newDatabase();
  keys = newMasterKeys();
  store = storeOver(database, { masterKeys: keys });
});

test('a network is known to the user who noted it, also after a restart, for 30 days', () => {
  open().note(ANN, HOME);
  expect(open().isKnown(ANN, HOME)).toBe(true);
  expect(open().isKnown(ANN, '198.51.100.0/24')).toBe(false);
  expect(open().isKnown('password|bob@example.com', HOME)).toBe(false);
  expect(open().isKnown('totp|ann@example.com', HOME)).toBe(false);
  now += 29 * DAY;
  open().note(ANN, HOME);
  now += 29 * DAY;
  expect(open().isKnown(ANN, HOME)).toBe(true);
  now += DAY;
  expect(open().isKnown(ANN, HOME)).toBe(false);
});

test('twenty a user are kept, those that were used last', () => {
  const networks = open();
  for (let n = 0; n < 25; n++) {
    networks.note(ANN, `10.0.${n}.0/24`);
    networks.note(`user${n}`, HOME);
    now += 1;
  }
  const known = Array.from({ length: 25 }, (_, n) => networks.isKnown(ANN, `10.0.${n}.0/24`));
  expect(known).toEqual(Array.from({ length: 25 }, (_, n) => n >= 5));
  expect(networks.isKnown('user0', HOME)).toBe(true);
});

test('the file reveals neither user nor network, and another master key finds nobody', () => {
  open().note(ANN, HOME);
  const file = Buffer.from(database.serialize()).toString('latin1');
  expect(file).not.toContain('ann@example.com');
  expect(file).not.toContain('203.0.113');
  store = reopened(database, [...newMasterKeys(), ...keys]);
  expect(open().isKnown(ANN, HOME)).toBe(false);
});
