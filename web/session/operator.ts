// The operator's login: the token that the operator API asks for, kept for this tab alone.
import { stored } from './stored.ts';

/** null while nobody is logged in. */
export const operatorToken = stored(sessionStorage, 'agio.operatorToken');
