// Code that a page loads later.

/** The code could not be fetched; a browser tries again only after a reload. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** The same load, which fails with PageNotLoaded. */
export const pageCode =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded('The code of a page could not be fetched', { cause });
    });
