// The operator's session: the token of the operator API, kept for this tab only.
import { stored } from './stored.ts';

/** null without a session. */
export const operatorToken = stored(sessionStorage, 'agio.operatorToken');

/** Set when the server stops accepting the token, so that the login page can say so. */
const ended = stored(sessionStorage, 'agio.operatorEnded');

export const useOperatorEnded = (): boolean => ended.use() !== null;

export function beginOperator(token: string): void {
  ended.set(null);
  operatorToken.set(token);
}

/** `refused`: the server ended it, not the operator. */
export function endOperator(refused: boolean): void {
  ended.set(refused ? 'yes' : null);
  operatorToken.set(null);
}
