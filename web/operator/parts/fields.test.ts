// Described fields: what a form reads from typed values, and what an edit sends and says.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  changeLines,
  changesIn,
  describer,
  emptyValues,
  type Field,
  parseFields,
  typedValues,
  withoutEmpty,
} from './fields.ts';

type Kind = Field<{ value: unknown }>['kind'];

const layoutOf = (kind: Kind, options: Partial<Field<{ value: unknown }>> = {}) => [
  { kind, name: 'value', label: 'Field', ...options } as const,
];
const parse = (kind: Kind, typed: unknown, options: Partial<Field<{ value: unknown }>> = {}) => {
  const result = parseFields<{ value: unknown }, { value: unknown }>(layoutOf(kind, options), {
    value: typed,
  });
  return result.ok ? result.body.value : result.faults;
};

test.each<[Kind, unknown, unknown]>([
  ['text', ' wire-1 ', 'wire-1'],
  ['password', ' as typed ', ' as typed '],
  ['decimal', ' 1.50 ', '1.5'],
  ['decimal', '0', '0'],
  ['integer', '90', 90],
  ['percent', '0.1', '0.001'],
  ['percent', '.5', '0.005'],
  ['percent', '1000', '10'],
  ['checkbox', false, false],
  ['checkboxes', ['6', '5'], [5, 6]],
  ['lines', '10.0.0.1\n10.1.0.0/16, ::1', ['10.0.0.1', '10.1.0.0/16', '::1']],
  ['date', '2026-11-21', Date.UTC(2026, 10, 22) - 1],
  ['user', { uid: 7 }, 7],
])('a %s reads %p as %p', (kind, typed, value) => {
  expect(parse(kind, typed)).toEqual(value);
});

test('a choice carries the value of its option', () => {
  const options = [{ value: 3, label: 'Three' }];
  expect(parse('select', '3', { options })).toBe(3);
  expect(parse('radio', '4', { options })).toEqual({ value: 'Fill in this field.' });
});

test.each<[Kind, unknown, string]>([
  ['decimal', '1e3', 'Enter a number, such as 12.5.'],
  ['percent', 'abc', 'Enter a number, such as 12.5.'],
  ['integer', '1.5', 'Enter a whole number.'],
  ['integer', '-1', 'Enter a whole number.'],
])('a %s rejects %p', (kind, typed, fault) => {
  expect(parse(kind, typed)).toEqual({ value: fault });
});

test.each<[Kind, unknown, Partial<Field<{ value: unknown }>>, string]>([
  ['integer', '19', { min: 0, max: 18 }, 'Enter a whole number from 0 to 18.'],
  ['integer', '0', { min: 1 }, 'Enter a whole number of at least 1.'],
  ['decimal', '0.0', { above: 0 }, 'Enter a number above 0.'],
  ['percent', '0', { above: 0 }, 'Enter a number above 0.'],
  ['password', 'seven77', { min: 8, max: 128 }, 'Enter 8 to 128 characters.'],
  ['text', '😀😀😀', { max: 2 }, 'Enter at most 2 characters.'],
])('a %s rejects %p outside of its bounds', (kind, typed, bounds, fault) => {
  expect(parse(kind, typed, bounds)).toEqual({ value: fault });
});

test.each<[Kind, string, Partial<Field<{ value: unknown }>>, unknown]>([
  ['integer', '18', { min: 0, max: 18 }, 18],
  ['text', '😀😀', { max: 2 }, '😀😀'],
])('a %s accepts %p, its bound', (kind, typed, bounds, value) => {
  expect(parse(kind, typed, bounds)).toEqual(value);
});

describe('a described field', () => {
  const TERMS = {
    hours: { kind: 'integer', unit: 'hours', min: 0, max: 24, about: 'From now on.' },
    capacity: { kind: 'decimal', unit: 'coin', above: 0, empty: 'Unlimited' },
    note: { kind: 'text', max: 64, empty: '', only: 'edit' },
    guard: { kind: 'checkbox', initial: true, only: 'create' },
    hidden: { kind: 'text' },
  } as const;
  const { field, fields } = describer(TERMS, {
    guard: ['Guard'],
    capacity: ['Capacity', 'Of all users.'],
    hours: ['Hours'],
    note: ['Note'],
  });

  test('has kind, unit, bounds and help of the contract, and the label of the catalog', () => {
    expect(field('hours')).toMatchObject({
      ...{ kind: 'integer', name: 'hours', label: 'Hours', description: 'From now on.' },
      ...{ unit: 'h', min: 0, max: 24, empty: undefined },
    });
    expect(field('capacity', { coin: 'USDT' })).toMatchObject({
      ...{ unit: 'USDT', above: 0, empty: 'Unlimited', description: 'Of all users.' },
    });
    expect(field('note').empty).toBe('None');
    const options = [{ value: 'a', label: 'A' }];
    expect(field('note', {}, { options })).toMatchObject({ kind: 'select', options });
  });

  test('appears in its form in the order of the labels, and without a label in none', () => {
    const names = (form: 'create' | 'edit') => fields(form, {}).map(({ name }) => name);
    expect(names('create')).toEqual(['guard', 'capacity', 'hours']);
    expect(names('edit')).toEqual(['capacity', 'hours', 'note']);
  });

  test('begins with the value of the contract, unless a person chose one', () => {
    expect(emptyValues(TERMS, { hours: '12' })).toEqual({
      ...{ hours: '12', capacity: '', note: '', guard: true, hidden: '' },
    });
  });
});

test('an empty field has a fault, unless its description says what it means', () => {
  for (const [kind, typed] of [
    ['text', '  '],
    ['percent', ''],
    ['user', null],
    ['checkboxes', []],
  ] as const) {
    expect(parse(kind, typed)).toEqual({ value: 'Fill in this field.' });
    expect(parse(kind, typed, { empty: 'None' })).toBe(kind === 'text' ? '' : null);
  }
});

test('a form shows every rate so that the same rate is read again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (units) => {
      const digits = String(units).padStart(8, '0').replace(/0+$/, '');
      const rate = digits === '' ? '0' : `0.${digits}`;
      const { value } = typedValues(layoutOf('percent'), { value: rate });
      expect(parse('percent', value)).toBe(rate);
    }),
  );
});

test.each([
  ['percent', 'minApr', 'maxApr', '5', '4.5', '5.00%'],
  ['integer', 'minLockDay', 'maxLockDay', '30', '7', '30 days'],
  ['decimal', 'userAmountMin', 'userAmountMax', '1000.5', '99.75', '1,000.5 USDT'],
] as const)('a %s is not below its minimum', (kind, least, most, minimum, below, shown) => {
  const unit = { percent: undefined, integer: 'days', decimal: 'USDT' }[kind];
  const layout = [
    { kind, name: least, label: 'Least', unit },
    { kind, name: most, label: 'Most', unit, empty: 'Unlimited' },
  ] as const;
  const faultsOf = (max: string) => {
    const result = parseFields<Record<string, string>, object>(layout, {
      [least]: minimum,
      [most]: max,
    });
    return result.ok ? {} : result.faults;
  };
  expect(faultsOf(below)).toEqual({ [most]: `Enter at least ${shown}, the value of “Least”.` });
  expect(faultsOf(minimum)).toEqual({});
  expect(faultsOf('')).toEqual({});
});

test('a request that creates something leaves out what is empty', () => {
  const body = { label: '', capacity: null, fiat: false, hours: 0 };
  expect(withoutEmpty(body)).toEqual({ fiat: false, hours: 0 } as never);
});

describe('an edit', () => {
  const record = { rate: '0.05', most: null, hours: 24, early: false, name: 'Savings', kind: 1 };
  const label = 'Field';
  const layout = [
    { kind: 'percent', name: 'rate', label },
    { kind: 'decimal', name: 'most', label, unit: 'USDT', empty: 'Unlimited' },
    { kind: 'integer', name: 'hours', label, unit: 'h' },
    { kind: 'checkbox', name: 'early', label },
    { kind: 'text', name: 'name', label, empty: 'None' },
    { kind: 'select', name: 'kind', label, options: [{ value: 1, label: 'One' }] },
  ] as const;
  const values = { rate: '', most: '', hours: '', early: false, name: '', kind: '' };

  test('of untouched values changes nothing', () => {
    const typed = { ...values, ...typedValues<typeof values>(layout, record) };
    const result = parseFields<typeof values, typeof record>(layout, typed);
    expect(result.ok ? changesIn(result.body, record) : result.faults).toEqual({});
  });

  test('says each change from the current value to the next', () => {
    const next = { rate: '0.055', most: '5000', hours: 48, early: true, name: '' };
    expect(changeLines<typeof values>(layout, next, record)).toEqual([
      'Field: 5.00% → 5.50%',
      'Field: Unlimited → 5,000 USDT',
      'Field: 24 h → 48 h',
      'Field: No → Yes',
      'Field: Savings → None',
    ]);
  });
});
