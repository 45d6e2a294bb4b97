// Walks through lists that come in pages, item by item, for `for await`. A page is asked for when the one before is used up.

/** Pages of a fixed size, where the next is asked for by the last row of the one before. */
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
 * Pages by number, newest first. What is added meanwhile moves everything on, so items may come again on any later page: one
 * that an earlier page had already, by its `idOf`, is passed over.
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
