// Lists with an empty place, as those that are found by an id from 1 on have.

/** The items that exist, in order. */
export const present = <T>(items: readonly (T | undefined)[]): T[] =>
  items.filter((item): item is T => item !== undefined);
