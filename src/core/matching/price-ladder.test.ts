// The prices that a ladder rejects, and the end of a walk; test/model compares books of thousands.
import { describe, expect, test } from 'bun:test';
import { Side } from '../fix.ts';
import { ticks } from '../units.ts';
import { PriceLadder } from './price-ladder.ts';

describe('price ladder', () => {
  test('a walk ends when the visitor has seen enough', () => {
    const ladder = new PriceLadder(Side.sell);
    for (let price = 1; price <= 1_000; price++) ladder.insert(ticks(price), price);
    const seen: number[] = [];
    ladder.fromBest((_level, price) => {
      seen.push(price);
      return seen.length < 300;
    });
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  });

  test('a price has one level, and only a listed price can be removed', () => {
    const ladder = new PriceLadder(Side.buy);
    ladder.insert(ticks(5), 1);
    expect(() => ladder.insert(ticks(5), 2)).toThrow('a price has one level');
    expect(() => ladder.remove(ticks(6))).toThrow('a removed price has a level');
    ladder.remove(ticks(5));
    expect(() => ladder.remove(ticks(5))).toThrow('a removed price has a level');
  });

  test('a price has one level also where a full run is cut in two', () => {
    for (const side of [Side.buy, Side.sell]) {
      for (let price = 1; price <= 256; price++) {
        // A run is full with 256 prices: the next insert cuts it.
        const ladder = new PriceLadder(side);
        for (let each = 1; each <= 256; each++) ladder.insert(ticks(each), each);
        expect(() => ladder.insert(ticks(price), 0)).toThrow('a price has one level');
      }
    }
  });
});
