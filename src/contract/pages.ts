// The paths of the web pages. The server answers them, and everything below them, with the single
// page of the user interface.

/** First parts of paths; `/` is the home page, too. */
export const PAGE_PATHS = [
  'home',
  'markets',
  'trade',
  'orders',
  'earn',
  'wallet',
  'keys',
  'security',
  'settings',
  'enterprise',
  'operator',
  'docs',
  'login',
  'register',
  'reset',
] as const;

export type PagePath = (typeof PAGE_PATHS)[number];
