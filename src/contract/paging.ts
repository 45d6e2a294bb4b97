// Lists that are requested by page number: the fields of the request, and the page wrapper of the
// contract.
import { integer, optional } from './fields.ts';
import type { JsonOut } from './json.ts';
import { object } from './object.ts';

/** The rows of the largest page. */
export const MAX_PAGE_ROWS = 1000;

/** A 31-bit range of pages is beyond any list. */
export const page = integer({ min: 1, max: 2_147_483_647, about: 'Pages start at 1.' });
export const pageSize = integer({ min: 1, max: 100, about: 'Items on a page.' });
export const DEFAULT_PAGE = 1;
export const DEFAULT_PAGE_SIZE = 10;

/** The query of a list. */
export const pageQuery = object({
  page: optional(page, DEFAULT_PAGE),
  pageSize: optional(pageSize, DEFAULT_PAGE_SIZE),
});

export function writePage<T, W extends JsonOut>(
  { items, total }: { readonly items: readonly T[]; readonly total: number },
  { page: currentPage, pageSize: size }: { readonly page: number; readonly pageSize: number },
  write: (item: T) => W,
) {
  return {
    items: items.map(write),
    currentPage,
    pageSize: size,
    totalNum: total,
    totalPage: Math.ceil(total / size),
  };
}
