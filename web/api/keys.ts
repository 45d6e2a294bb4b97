// The API keys of who has logged in. Programs trade and save with them.
import type * as sdk from '../../src/sdk/answers-people.ts';
import type { CallOptions } from '../../src/sdk/index.ts';
import type { UserCenterCreateKeyRequest } from '../../src/sdk/requests-user-center.ts';
import { userCenter } from './clients.ts';
import type { Proof } from './people.ts';
import { inTexts, type Texts } from './texts.ts';

/** What a key may do, by the numbers of the wire: 1–4 earn, 5 and 6 trading. */
export type ModuleId = UserCenterCreateKeyRequest['moduleIds'][number];
export type ApiKey = Texts<sdk.Key>;
/** The one time that the secret is shown. */
export type CreatedKey = sdk.NewKey;

/** What is left out is not restricted. */
export interface NewKey {
  readonly alias: string;
  readonly moduleIds: readonly ModuleId[];
  readonly ipAllowList?: readonly string[];
  /** Epoch ms. */
  readonly expiresAt?: number;
  readonly strictClOrdId: boolean;
}

/** Newest first, also the revoked ones. */
export const keys = (options?: CallOptions) => inTexts(userCenter.keys(options));

/** Both codes are always asked for. */
export const createKey = (key: NewKey & Required<Proof>) => userCenter.createKey(key);

export const revokeKey = (key: { readonly apiKey: string } & Proof) => userCenter.deleteKey(key);
