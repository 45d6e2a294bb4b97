// Finds the route of a request. Paths match exactly and byte for byte, since the path is signed: no
// decoding, no trailing slash, no case folding.

import type { ApiCall, Method } from '../../contract/call.ts';
import { Problem } from '../../contract/problem.ts';
import type { Route } from './route.ts';

export interface Match<R = Route> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

const NO_PARAMS = {};
/**
 * Characters of a path part that stand for themselves; symbols, uids and plan ids need no others.
 */
const PART = /^[A-Za-z0-9._~-]+$/;

interface Pattern<R> {
  readonly parts: readonly string[];
  readonly routes: Map<string, R>;
}

export class Router<R extends Pick<ApiCall, 'method' | 'path'> = Route> {
  /** By path, then by method. */
  readonly #exact = new Map<string, Map<string, Match<R>>>();
  readonly #patterns: Pattern<R>[] = [];

  /** Throws Error when two routes claim the same method and path. */
  constructor(routes: readonly R[]) {
    for (const route of routes) {
      if (route.path.includes('{')) this.#addPattern(route);
      else this.#addExact(route);
    }
  }

  #addExact(route: R): void {
    const methods = this.#exact.get(route.path) ?? new Map<string, Match<R>>();
    if (methods.has(route.method)) throw new Error(`two routes ${route.method} ${route.path}`);
    methods.set(route.method, { route, params: NO_PARAMS });
    this.#exact.set(route.path, methods);
  }

  #addPattern(route: R): void {
    const parts = route.path.split('/');
    let pattern = this.#patterns.find((known) => known.parts.join('/') === route.path);
    if (pattern === undefined) {
      pattern = { parts, routes: new Map() };
      this.#patterns.push(pattern);
    }
    if (pattern.routes.has(route.method))
      throw new Error(`two routes ${route.method} ${route.path}`);
    pattern.routes.set(route.method, route);
  }

  /** Throws Problem notFound, or methodNotAllowed with an `Allow` header. */
  find(method: string, path: string): Match<R> {
    const methods = this.#exact.get(path);
    if (methods !== undefined) return methods.get(method) ?? notAllowed(methods.keys());
    const parts = path.split('/');
    for (const pattern of this.#patterns) {
      const params = matchParts(pattern.parts, parts);
      if (params === null) continue;
      const route = pattern.routes.get(method) ?? notAllowed(pattern.routes.keys());
      return { route, params };
    }
    throw new Problem('notFound');
  }

  /** The methods that a path accepts; throws Problem notFound. */
  methodsOf(path: string): Method[] {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return [...exact.keys()] as Method[];
    const parts = path.split('/');
    const pattern = this.#patterns.find((known) => matchParts(known.parts, parts) !== null);
    if (pattern === undefined) throw new Problem('notFound');
    return [...pattern.routes.keys()] as Method[];
  }
}

function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (let i = 0; i < parts.length; i++) {
    const wanted = pattern[i]!;
    const part = parts[i]!;
    if (wanted.startsWith('{')) {
      if (!PART.test(part)) return null;
      params[wanted.slice(1, -1)] = part;
    } else if (wanted !== part) {
      return null;
    }
  }
  return params;
}

function notAllowed(methods: Iterable<string>): never {
  const allow = [...methods].join(', ');
  throw new Problem('methodNotAllowed', {
    userMsg: `This path accepts ${allow}.`,
    headers: { Allow: allow },
  });
}
