// The client of the operator: users, money, listings, plans and the installation.

import { operatorCredentials } from './credentials.ts';
import { OperatorMethods } from './generated/methods-operator.ts';
import type { OperatorUsersRequest } from './generated/types.ts';
import { byNumber } from './pages.ts';
import type { CallOptions, TransportOptions } from './transport.ts';

export interface OperatorOptions extends TransportOptions {
  /** The token, or a function that returns the current one. */
  readonly operatorToken: string | (() => string | null);
}

const PAGE_SIZE = 100;

/**
 * The audit log has every call, also a rejected one. Methods throw Unauthorized (the token),
 * InvalidRequest, Conflict, Unavailable. Transfers have a reference, so the SDK may repeat them; a
 * call that creates something is sent once, and a lost answer to it is an OutcomeUnknown.
 */
export class OperatorClient extends OperatorMethods {
  constructor(options: OperatorOptions) {
    super(options, operatorCredentials(options.operatorToken));
  }

  /** The whole list, for `for await`. */
  allUsers(request: Pick<OperatorUsersRequest, 'query'> = {}, options?: CallOptions) {
    return byNumber(
      (page) => this.users({ ...request, page, pageSize: PAGE_SIZE }, options),
      ({ uid }) => uid,
    );
  }

  /** The whole list, for `for await`. */
  allAudit(options?: CallOptions) {
    return byNumber(
      (page) => this.audit({ page, pageSize: PAGE_SIZE }, options),
      ({ id }) => id,
    );
  }
}
