// Every call of the API on one page: where it is and how it may be repeated. The names are those of the methods of the clients;
// what each sends is in requests.ts, what it answers in the files answers-*.ts.

/** Whose credentials go along. */
export type Access = 'public' | 'private' | 'session' | 'operator';

/**
 * What may be done when an answer is lost. `read`: ask again. `keyed`: send it again under the same Idempotency-Key, which a
 * new call is given by itself. `repeatable`: send it again, a second time changes nothing more. `once`: the caller has to look.
 */
export type Repeat = 'read' | 'keyed' | 'repeatable' | 'once';

export interface CallSpec {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Parts such as {uid} are filled in. */
  readonly path: string;
  readonly access: Access;
  readonly repeat: Repeat;
  /** The answer is in the envelope of the earn area, and a refusal may come with status 200. */
  readonly earn?: boolean;
  /** A POST that sends its fields in the query. */
  readonly inQuery?: boolean;
}

const SPOT = '/spot-api/api';
const PRIVATE = `${SPOT}/private/v1`;
const MARKET_DATA = '/market-data-server/api/public/v1';
const EARN = '/earn-api/v1/user';
const CENTER = '/user-center/v1';
const OPERATOR = '/operator/v1';

const open = (path: string): CallSpec => ({
  method: 'GET',
  path,
  access: 'public',
  repeat: 'read',
});
const read = (path: string): CallSpec => ({
  method: 'GET',
  path: PRIVATE + path,
  access: 'private',
  repeat: 'read',
});
const write = (path: string, repeat: Repeat): CallSpec => ({
  method: 'POST',
  path: PRIVATE + path,
  access: 'private',
  repeat,
});
const earnRead = (path: string): CallSpec => ({
  method: 'GET',
  path: EARN + path,
  access: 'private',
  repeat: 'read',
  earn: true,
});
const earnPost = (path: string, repeat: Repeat): CallSpec => ({
  ...earnRead(path),
  method: 'POST',
  repeat,
});

/** The calls of trading, market data, accounts and earn. */
export const calls = {
  health: open('/health'),
  ready: open('/ready'),
  metrics: open('/metrics'),

  instruments: open(`${SPOT}/public/v2/instruments`),
  instrumentsV1: open(`${SPOT}/public/v1/instruments`),
  assets: open(`${SPOT}/public/v1/assets`),
  time: open(`${SPOT}/public/v1/time`),
  orderbook: open(`${MARKET_DATA}/orderbook`),
  level3Orderbook: open(`${MARKET_DATA}/l3Orderbook`),
  trades: open(`${MARKET_DATA}/trades`),
  tickers: open(`${MARKET_DATA}/tickers`),
  candles: open(`${MARKET_DATA}/candles`),

  createOrder: write('/order', 'keyed'),
  testOrder: write('/testorder', 'read'),
  // Open orders may share a name, and a second cancel by it would take the next of them.
  cancelOrder: write('/order/cancel', 'keyed'),
  // A second one would cancel what was entered after the first.
  massCancel: write('/order/masscancel', 'keyed'),
  // A second one would arm a switch again that has fired, or was disarmed, meanwhile.
  cancelAllAfter: write('/order/cancelallafter', 'keyed'),
  orders: read('/orders'),

  balances: read('/balances'),
  fills: read('/trades'),
  fees: read('/fees'),
  ledger: read('/ledger'),

  plans: { ...earnRead('/plan/list'), access: 'public' },
  plan: earnRead('/plan/detail'),
  previewApply: earnRead('/apply/preview'),
  applyPlan: earnPost('/plan/apply', 'keyed'),
  subscriptions: earnRead('/apply/currentList'),
  subscription: earnRead('/apply/detail'),
  interest: earnRead('/apply/interest'),
  explainInterest: earnRead('/apply/interest/explain'),
  previewRedeem: earnRead('/redeem/preview'),
  redeem: earnPost('/apply/redeem', 'keyed'),
  setAutoRenew: earnPost('/plan/detail/edit', 'keyed'),

  memberSubscriptions: earnPost('/earn/plans/list', 'read'),
  margins: earnPost('/yield/manage/list', 'read'),
  setMargin: { ...earnPost('/edit/enterpriseMargin', 'keyed'), inQuery: true },
} as const satisfies Record<string, CallSpec>;

const center = (method: 'GET' | 'POST', path: string, repeat: Repeat): CallSpec => ({
  method,
  path: CENTER + path,
  access: 'session',
  repeat,
});
const entrance = (path: string): CallSpec => ({
  ...center('POST', path, 'once'),
  access: 'public',
});

/** The calls of the user centre. Codes are used up by success, so nothing with a code is sent twice. */
export const userCenterCalls = {
  register: entrance('/register'),
  confirmRegistration: entrance('/register/confirm'),
  login: entrance('/login'),
  resetPassword: entrance('/password/reset'),
  confirmPasswordReset: entrance('/password/reset/confirm'),
  logout: center('POST', '/logout', 'once'),
  me: center('GET', '/me', 'read'),
  enrollTotp: center('POST', '/totp/enroll', 'once'),
  activateTotp: center('POST', '/totp/activate', 'once'),
  stepUp: center('POST', '/stepUp', 'once'),
  disableTotp: center('POST', '/totp/disable', 'once'),
  renewRecoveryCodes: center('POST', '/totp/recoveryCodes', 'once'),
  sendEmailCode: {
    method: 'POST',
    path: '/user-center/common/sendEmailAuthCode',
    access: 'session',
    repeat: 'once',
  },
  createKey: center('POST', '/api/create', 'once'),
  keys: center('GET', '/api/list', 'read'),
  deleteKey: center('POST', '/api/delete', 'once'),
  sessions: center('GET', '/sessions', 'read'),
  revokeSession: center('POST', '/sessions/revoke', 'once'),
  changePassword: center('POST', '/password/change', 'once'),
  audit: center('GET', '/audit', 'read'),
  faucet: center('POST', '/faucet', 'once'),
} as const satisfies Record<string, CallSpec>;

const operate = (method: CallSpec['method'], path: string, repeat: Repeat): CallSpec => ({
  method,
  path: OPERATOR + path,
  access: 'operator',
  repeat,
});
const show = (path: string) => operate('GET', path, 'read');
const create = (path: string) => operate('POST', path, 'once');
/**
 * Names its transfer by a reference, or sets what it names to what it says: a second time changes nothing more. What another
 * operator set in between is set over, as by a call that came just after his.
 */
const repeatable = (method: 'POST' | 'PATCH', path: string) => operate(method, path, 'repeatable');

/** The calls of the operator. */
export const operatorCalls = {
  createUser: create('/users'),
  attachUser: create('/users/{uid}/attach'),
  users: show('/users'),
  user: show('/users/{uid}'),
  amendUser: repeatable('PATCH', '/users/{uid}'),
  userBalances: show('/users/{uid}/balances'),
  createKey: create('/users/{uid}/keys'),
  keys: show('/users/{uid}/keys'),
  revokeKey: repeatable('POST', '/users/{uid}/keys/{apiKey}/revoke'),
  credit: repeatable('POST', '/ledger/credit'),
  debit: repeatable('POST', '/ledger/debit'),
  cancelOrders: repeatable('POST', '/orders/cancel'),
  withdrawIncome: repeatable('POST', '/ledger/withdraw-income'),
  income: show('/ledger/income'),
  venueStatement: show('/ledger/venue-statement'),
  trialBalance: show('/ledger/trial-balance'),
  createAsset: create('/assets'),
  assets: show('/assets'),
  createInstrument: create('/instruments'),
  instruments: show('/instruments'),
  amendInstrument: repeatable('PATCH', '/instruments/{symbol}'),
  createPlan: create('/plans'),
  plans: show('/plans'),
  plan: show('/plans/{planId}'),
  amendPlan: repeatable('PATCH', '/plans/{planId}'),
  fundReserve: repeatable('POST', '/plans/{planId}/reserve'),
  createEnterprise: create('/enterprises'),
  amendEnterprise: repeatable('PATCH', '/enterprises/{enterpriseId}'),
  enterprises: show('/enterprises'),
  journalHead: show('/journal/head'),
  truncateJournal: repeatable('POST', '/journal/truncate'),
  snapshot: repeatable('POST', '/snapshot'),
  audit: show('/audit'),
  outbox: show('/outbox'),
  clock: show('/clock'),
  advanceClock: create('/clock/advance'),
  rateLimits: show('/rate-limits'),
} as const satisfies Record<string, CallSpec>;
