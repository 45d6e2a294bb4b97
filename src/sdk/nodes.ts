// The choice of a node among several URLs of one cluster: it stays on one while that one answers.
// It moves when the caller reports a failure, and it prefers nodes that did not ask to wait.
import { InvalidArgument } from './errors.ts';

export class Nodes {
  readonly all: readonly string[];
  #current: string;
  /** When a node is to be asked again, on the monotonic clock. */
  readonly #readyAt = new Map<string, number>();

  /** At least one, without duplicates. */
  constructor(all: readonly string[]) {
    this.all = all;
    this.#current = all[0]!;
  }

  get current(): string {
    return this.#current;
  }

  /** For how long the current node asked to be left alone, ms. */
  get waitMs(): number {
    return this.#waitOf(this.#current);
  }

  /**
   * The node failed, or asked to wait. Calls under way may all report the same failure, so only a
   * report about the current node moves to another one.
   */
  leave(node: string, retryAfterMs = 0): void {
    this.#readyAt.set(node, performance.now() + retryAfterMs);
    if (node !== this.#current) return;
    const next = this.all.indexOf(node) + 1;
    const others = [...this.all.slice(next), ...this.all.slice(0, next)];
    this.#current = others.reduce((best, other) =>
      this.#waitOf(other) < this.#waitOf(best) ? other : best,
    );
  }

  #waitOf(node: string): number {
    return Math.max(0, (this.#readyAt.get(node) ?? 0) - performance.now());
  }
}

/**
 * The URLs of the option `url`, without slashes at the end. Throws InvalidArgument for an unusable
 * one, and for a list that is empty, names a node twice, or has more than one scheme.
 */
export function serverUrls(given: string | readonly string[]): readonly string[] {
  if (typeof given === 'string') return [serverUrl(given)];
  if (!Array.isArray(given) || given.length === 0) {
    throw new InvalidArgument('url: give a URL, or a list of at least one.');
  }
  const urls = given.map((url) => (url === '' ? unusable(url) : serverUrl(url)));
  const parsed = urls.map((url) => new URL(url));
  const twice = parsed.findIndex(({ href }, i) => parsed.findIndex((u) => u.href === href) < i);
  if (twice >= 0) {
    throw new InvalidArgument(`url: ${JSON.stringify(given[twice])} is in the list twice.`);
  }
  const odd = parsed.findIndex(({ protocol }) => protocol !== parsed[0]!.protocol);
  if (odd >= 0) {
    throw new InvalidArgument(
      `url: ${JSON.stringify(given[odd])} has another scheme than ${JSON.stringify(given[0])}. ` +
        'Give https:// for all, or http:// for all.',
    );
  }
  return urls;
}

/** The origin of a server. Throws InvalidArgument if it is the page's and there is no page. */
export function originOf(url: string): string {
  if (url !== '') return url;
  return 'location' in globalThis ? globalThis.location.origin : unusable(url);
}

function serverUrl(url: string): string {
  const isUsable = url === '' || (/^https?:\/\//i.test(url) && isUrl(url));
  return isUsable ? url.replace(/\/+$/, '') : unusable(url);
}

function unusable(url: string): never {
  throw new InvalidArgument(
    `url: ${JSON.stringify(url)} cannot be used. Give http:// or https:// with a host, ` +
      "or '' on a page of the server itself.",
  );
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}
