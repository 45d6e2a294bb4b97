// Texts of the operator console: login, navigation, overview, and parts that its pages share.
import { counted, inLanguage } from './catalog.ts';

const en = {
  console: 'Operator console',
  areasLabel: 'Areas of the operator console',
  documentTitle: (area: string) => `${area} · Operator console`,
  logOut: 'Log out',
  overview: 'Overview',
  users: 'Users',
  ledger: 'Ledger',
  markets: 'Markets',
  plans: 'Plans',
  enterprises: 'Enterprises',
  system: 'System',
  docs: 'Docs',

  loginLead: 'For the operator of this exchange. Log in with the operator token, not an account.',
  tokenRejected: 'The server no longer accepts this token. It may have restarted with another one.',
  token: 'Operator token',
  wrongToken: 'This is not the operator token of this exchange.',
  tokenInSandbox: ['In a sandbox, the token is ', ' in ', ' in the data directory.'],
  tokenSetting: ['The token is the server setting ', '.'],
  tokenKept: 'This tab keeps it until you close it. The audit log records every call.',
  openConsole: 'Open console',

  verified: 'Verified',
  notVerified: 'Not verified',
  active: 'Active',
  suspended: 'Suspended',
  asOf: (time: string) => `as of ${time}`,
  checked: (ago: string) => `Checked ${ago} ago`,
  refresh: 'Refresh',
  refreshNote:
    'Figures are read when the page opens, after a change, and here. The audit log records ' +
    'each reading.',

  reason: 'Reason for the audit log',
  cancelOpenOrders: 'Cancel open orders…',
  cancelOrders: 'Cancel orders',
  whoseOrders: (uid: number | undefined, symbol: string | undefined) =>
    uid === undefined ? `in ${symbol}` : `of user ${uid}`,
  cancelTitle: (whose: string) => `Cancel all open orders ${whose}?`,
  cancelsUser:
    'This cancels every open order of this user, in every pair. The user can place new orders ' +
    'unless you suspend the user.',
  cancelsPair: (symbol: string | undefined) =>
    `This cancels every open order in ${symbol}, of every customer. New orders can arrive ` +
    'unless you halt the pair.',
  cancelKeepsFills: 'Fills stay. The money held for the orders becomes available.',
  cancelShows: 'Owners see “Canceled by the operator”. Only the audit log has the reason.',
  noOpenOrders: (whose: string) => `There were no open orders ${whose}.`,
  canceled: (canceled: number, remaining: number, whose: string) => {
    const orders = counted(canceled, 'order');
    const rest = remaining === 0 ? '' : ` ${remaining} more follow.`;
    return `Canceled ${orders} ${whose}.${rest}`;
  },

  needsAttention: 'Needs attention',
  actNow: 'Act now',
  look: 'Check',
  show: 'Show',
  showNotice: (notice: string) => `Show: ${notice}`,
  allWell: 'Nothing needs attention.',
  looking: 'Checking…',
  latestChanges: 'Latest changes',
  journalHead: 'Journal head',
  unbalanced: (asset: string) => `The accounts of ${asset} do not sum to zero.`,
  pairStatus: (symbol: string, status: string) => `${symbol} is ${status}.`,
  historyBehind: (lag: number) =>
    `History is ${lag.toLocaleString('en')} commands behind the journal.`,
  serverErrors: (errors: number) =>
    `${counted(errors, 'server error')} since the start. See the server log.`,
  interestOverdue: (plan: string, reserve: string) =>
    `${plan} owes overdue interest: its reserve of ${reserve} was too small.`,
  reserveEmpty: (plan: string) => `${plan} is open, and its reserve is empty. Fund it.`,
  reserveLow: (plan: string, days: number) =>
    `The reserve of ${plan} covers ${counted(days, 'day')} of interest.`,
  figures: 'Figures of the exchange',
  cards: {
    journal: 'Commands in the journal',
    journalNote: 'all durable',
    syncs: 'Disk syncs',
    syncsNote: (queued: string) => `since the start; queued commands: ${queued}`,
    history: 'History lag',
    historyNote: 'behind the journal',
    orders: 'Open orders',
    ordersNote: 'in all books',
    books: 'Accounts',
    balanced: 'Balanced',
    wrong: 'Unbalanced',
    booksNote: (assets: number) => `${assets} assets, each sums to 0`,
    reserves: 'Plan reserves',
    enough: 'Sufficient',
    low: (plans: number) => `${plans} low`,
    reservesNote: (plans: number) => counted(plans, 'plan'),
    live: (pairs: number) => `${pairs} live`,
    marketsNote: (pairs: number) => `of ${pairs} listed`,
    server: 'Server',
    serverNote: (memory: string) => `since the start, ${memory}`,
  },
};

export const operatorText = inLanguage({ en });
