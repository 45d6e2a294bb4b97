// The operator's login: the token that the operator API asks for, kept for this tab alone.
import { stored } from './stored.ts';

/** null while nobody is logged in. */
export const operatorToken = stored(sessionStorage, 'agio.operatorToken');

/** Set where the server stopped accepting a token, so that the login can say why it is shown. */
const ended = stored(sessionStorage, 'agio.operatorEnded');

export const useOperatorEnded = (): boolean => ended.use() !== null;

export function beginOperator(token: string): void {
  ended.set(null);
  operatorToken.set(token);
}

/** `refused`: by the server, and not by whoever logs out. */
export function endOperator(refused: boolean): void {
  ended.set(refused ? 'yes' : null);
  operatorToken.set(null);
}
