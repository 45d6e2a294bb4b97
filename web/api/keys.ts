// The API keys of who has logged in. Programs trade and save with them.
import type { Proof } from './people.ts';
import { call } from './transport.ts';

const KEYS = '/user-center/v1/api';

/** What a key may do, by the numbers of the wire: 1–4 earn, 5 and 6 trading. */
export type ModuleId = 1 | 2 | 3 | 4 | 5 | 6;

export interface ApiKey {
  readonly apiKey: string;
  readonly alias: string;
  /** ModuleIds as text. */
  readonly moduleIds: readonly string[];
  readonly ipAllowList: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly strictClOrdId: boolean;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** What is left out is not restricted. */
export interface NewKey {
  readonly alias: string;
  readonly moduleIds: readonly ModuleId[];
  readonly ipAllowList?: readonly string[];
  /** Epoch ms. */
  readonly expiresAt?: number;
  readonly strictClOrdId: boolean;
}

/** The one time that the secret is shown. */
export interface CreatedKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Newest first, also the revoked ones. */
export const keys = (signal?: AbortSignal) =>
  call<readonly ApiKey[]>('GET', `${KEYS}/list`, { signal });

/** Both codes are always asked for. */
export const createKey = (body: NewKey & Required<Proof>) =>
  call<CreatedKey>('POST', `${KEYS}/create`, { body });

export const revokeKey = (body: { readonly apiKey: string } & Proof) =>
  call<object>('POST', `${KEYS}/delete`, { body });
