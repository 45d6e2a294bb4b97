// Addresses: of pages that are on the way to another one, and of people.

/** Where to go after a login, or whatever else was on the way: a path of this site, never another host. */
export function nextPath(search: string, otherwise = '/trade'): string {
  const next = new URLSearchParams(search).get('next') ?? otherwise;
  return /^\/[a-z]/.test(next) ? next : otherwise;
}

/** Another step of the same way: what was asked of this page is asked of that one. */
export const withSearch = (path: string, search: string): string =>
  search === '' ? path : `${path}?${search}`;

/** What the server's rule comes to for what people mistype: something, an at, and a domain with a dot. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
