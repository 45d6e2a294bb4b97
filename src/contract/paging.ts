// Lists that are requested by page number: the fields of the request, and the page wrapper of the
// contract.
import { integer, optional } from './fields.ts';
import type { JsonOut } from './json.ts';
import { object } from './object.ts';
import { invalidField } from './problem.ts';

/** The rows of the largest page. */
export const MAX_PAGE_ROWS = 1000;

/** A 31-bit range of pages is beyond any list. */
const pageNumber = (about: string) => integer({ min: 1, max: 2_147_483_647, about });
export const pageSize = integer({ min: 1, max: 100, about: 'Items on a page.' });
const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_SIZE = 10;

/** The names of the page. Each list that has pages accepts both. */
export const pageNames = {
  currentPage: optional(pageNumber('Pages start at 1, the default.')),
  pageNum: optional(pageNumber('The same as currentPage.')),
} as const;

export const pageFields = {
  ...pageNames,
  pageSize: optional(pageSize, DEFAULT_PAGE_SIZE),
} as const;

/** The operator and the user center have a shorter name, too. */
export const pageQueryFields = {
  page: optional(pageNumber('Pages start at 1.'), DEFAULT_PAGE),
  ...pageFields,
} as const;
export const pageQuery = object(pageQueryFields);

const NAMES = ['page', 'pageNum', 'currentPage'] as const;
type PageNames = { readonly [N in (typeof NAMES)[number]]?: number | undefined };

/** The page by any of its names; the first one unless given. Throws Problem if they differ. */
export function readPage({
  pageSize: size = DEFAULT_PAGE_SIZE,
  ...named
}: PageNames & { readonly pageSize?: number | undefined }): {
  readonly page: number;
  readonly pageSize: number;
} {
  // A page of 1 may be the default of its field.
  const isSent = (name: (typeof NAMES)[number]) =>
    named[name] !== undefined && (name !== 'page' || named.page !== DEFAULT_PAGE);
  const [first, ...others] = NAMES.filter(isSent);
  if (first === undefined) return { page: DEFAULT_PAGE, pageSize: size };
  const page = named[first]!;
  const other = others.find((name) => named[name] !== page);
  if (other === undefined) return { page, pageSize: size };
  throw invalidField(other, `be the same as ${first}, or be left out`, {
    rule: 'correspond',
    value: named[other]!,
    nearest: page,
  });
}

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
