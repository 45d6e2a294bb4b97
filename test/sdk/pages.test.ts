// Walking through pages while the list grows: every item that was there at the beginning, once.
import { expect, test } from 'bun:test';
import { byNumber } from '../../src/sdk/pages.ts';

const SIZE = 3;

/** A list of ids, newest first, to which `grow` adds before a page is read. */
async function walk(count: number, grow: (list: number[], page: number) => void) {
  let list = Array.from({ length: count }, (_, i) => count - i);
  const read = async (page: number) => {
    const all = [...list];
    grow(all, page);
    list = all;
    const items = list.slice((page - 1) * SIZE, page * SIZE).map((id) => ({ id }));
    return { items, totalPage: Math.ceil(list.length / SIZE) };
  };
  const found: number[] = [];
  for await (const { id } of byNumber(read, ({ id }) => id)) found.push(id);
  return found;
}

test.each([0, 1, 2, 3, 4, 7])(
  '%p items are added before every page but the first',
  async (added) => {
    let next = 10;
    const found = await walk(9, (list, page) => {
      // It stops growing, or the walk would have no end.
      for (let i = 0; i < added && page > 1 && page < 5; i++) list.unshift(++next);
    });
    expect(found).toEqual([...new Set(found)]);
    expect(found.filter((id) => id <= 9)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  },
);
