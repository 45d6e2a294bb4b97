// Iterates over paged lists, item by item, for `for await`. It requests a page when the previous
// one is used up.

/** Pages of a fixed size, where the last row of a page requests the next. */
export async function* byLastRow<T>(
  size: number,
  next: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T, void, undefined> {
  let last: T | undefined;
  for (;;) {
    const page = await next(last);
    yield* page;
    last = page.at(-1);
    if (page.length < size || last === undefined) return;
  }
}

interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly totalPage: number;
}

/**
 * Pages by number, newest first. New items shift the others to later pages, so items that an
 * earlier page already had, by `idOf`, are skipped.
 */
export async function* byNumber<T>(
  next: (page: number) => Promise<NumberedPage<T>>,
  idOf: (item: T) => string | number,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string | number>();
  for (let page = 1; ; page++) {
    const { items, totalPage } = await next(page);
    const news = items.filter((item) => !seen.has(idOf(item)));
    for (const item of items) seen.add(idOf(item));
    yield* news;
    if (page >= totalPage) return;
  }
}
