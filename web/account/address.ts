// Addresses of pages to continue with, and of emails.

/** The page after a login: a path of this site, never another host. */
export function nextPath(search: string, otherwise = '/trade'): string {
  const next = new URLSearchParams(search).get('next') ?? otherwise;
  return /^\/[a-z]/.test(next) ? next : otherwise;
}

/** Another page of the same flow, with the query of this one. */
export const withSearch = (path: string, search: string): string =>
  search === '' ? path : `${path}?${search}`;

/** Accepts any text, an at sign, and a domain with a dot; the server checks the rest. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
