// A packed table answers as a list of its records would, wherever its rows end.
import { Database } from 'bun:sqlite';
import { expect, spyOn, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { integer, money, type RecordOf } from '../core/codec.ts';
import { amount } from '../core/units.ts';
import { PackedRecords, PackedTable } from './packed-table.ts';

const FIELDS = { owner: integer, pair: integer, id: integer, time: integer, value: money };
type Fact = RecordOf<typeof FIELDS>;
const TABLE = new PackedTable('facts', FIELDS, {
  group: ['owner', 'pair'],
  id: 'id',
  ascending: ['id', 'time'],
  key: ['owner', 'pair', 'id', 'value'],
});

function open(): { db: Database; records: PackedRecords<typeof FIELDS> } {
  const db = new Database(':memory:');
  db.run(TABLE.schema);
  return { db, records: new PackedRecords(db, TABLE) };
}

/** Facts of three groups; of ten ids one has two facts. Values are beyond 2^53 at times. */
function randomFacts(random: Prng, count: number): Fact[] {
  const facts: Fact[] = [];
  for (let id = 1, time = 1000; facts.length < count; id += random.between(1, 3)) {
    if (random.oneIn(4)) time += random.below(5);
    const owner = random.between(1, 3);
    const value = random.oneIn(9) ? amount(2n ** 60n + BigInt(id)) : amount(-id);
    const fact = { owner, pair: owner * 7, id, time, value };
    facts.push(fact);
    if (random.oneIn(10)) facts.push({ ...fact, value: amount(id) });
  }
  return facts;
}

test('walks and positions are those of the list, also after another start', () => {
  const random = new Prng(4);
  const { db } = open();
  const reopened = () => new PackedRecords(db, TABLE, 2);
  let records = reopened();
  const facts = randomFacts(random, 4000);
  for (const fact of facts) {
    records.record(fact);
    if (random.oneIn(30)) records.flush();
    if (!random.oneIn(200)) continue;
    records.flush();
    records = reopened();
  }
  records.flush();
  const { count } = db.query<{ count: number }, []>('SELECT count(*) AS count FROM facts').get()!;
  expect(count).toBeLessThan(facts.length / 20);
  for (let i = 0; i < 300; i++) {
    const owner = random.between(1, 3);
    const own = facts.filter((fact) => fact.owner === owner);
    const [from, end] = [random.below(9000), random.below(9000)];
    const [newestFirst, limit] = [random.oneIn(2), random.between(1, 200)];
    const inside = own.filter(({ id }) => id >= from && id < end);
    const expected = (newestFirst ? inside.toReversed() : inside).slice(0, limit);
    const walk = { from, end, newestFirst, limit };
    expect(records.walk([owner, owner * 7], walk)).toEqual(expected);
    const time = 1000 + random.below(2500);
    const later = own.find((fact) => fact.time >= time) ?? null;
    expect(records.atOrAfter([owner, owner * 7], 'time', time)).toEqual(later);
    const ids = [...new Set(expected.map(({ id }) => id))].filter(() => random.oneIn(2));
    const picked = ids.flatMap((id) => own.filter((fact) => fact.id === id));
    expect(records.pick([owner, owner * 7], [...ids, 10 ** 6])).toEqual(picked);
  }
  expect([...TABLE.rows(db)].length).toBe(facts.length);
});

test('records with the same id stay in one row', () => {
  const random = new Prng(5);
  const { db, records } = open();
  for (const fact of randomFacts(random, 3000)) {
    records.record(fact);
    records.flush();
  }
  const rows = db.query<{ owner: number; pair: number; first: number; data: Uint8Array }, []>(
    'SELECT * FROM facts',
  );
  const ids = rows.all().map(({ owner, pair, data }) => {
    const inRow = new Set(TABLE.unpack([owner, pair], data).map(({ id }) => id));
    return [...inRow].map((id) => `${owner} ${id}`);
  });
  expect(new Set(ids.flat()).size).toBe(ids.flat().length);
});

test('records that are picked by their ids are read row by row', () => {
  const { db, records } = open();
  const facts = randomFacts(new Prng(7), 3000);
  for (const fact of facts) records.record(fact);
  records.flush();
  const own = facts.filter(({ owner }) => owner === 1);
  const { rows } = db
    .query<{ rows: number }, []>('SELECT count(*) AS rows FROM facts WHERE owner = 1')
    .get()!;
  using unpack = spyOn(TABLE, 'unpack');
  const ids = [...new Set(own.map(({ id }) => id))];
  expect(records.pick([1, 7], ids)).toEqual(own);
  expect(unpack).toHaveBeenCalledTimes(rows);
});

test('the open rows of more groups than allowed are forgotten, and read again', () => {
  const { db } = open();
  const records = new PackedRecords(db, TABLE, 2);
  const of = (owner: number, id: number): Fact => ({
    ...{ owner, pair: owner * 7, id, time: 1000 },
    value: amount(id),
  });
  for (const owner of [1, 2, 3]) records.record(of(owner, owner));
  records.flush();
  using read = spyOn(TABLE, 'unpack');
  records.record(of(3, 4));
  records.flush();
  expect(read).toHaveBeenCalledTimes(1);
});

test('a record out of order is rejected', () => {
  const { records } = open();
  const [one, two] = randomFacts(new Prng(6), 2) as [Fact, Fact];
  const same = { ...two, owner: one.owner, pair: one.pair };
  records.record({ ...same, id: one.id + 1 });
  records.record(one);
  expect(() => records.flush()).toThrow('records of a group come in order');
});
