// The fields and calls of agio that the two documents of the contract do not have, from what these
// documents list. Clients of the contract alone never need them.
import { type ApiCall, fieldsOf } from '../src/contract/call.ts';
import { allCalls } from '../src/contract/calls.ts';
import type { Answer } from '../src/contract/wire.ts';
import { markdownTable } from './markdown.ts';

const MARKET = 'GET /market-data-server/api/public/v1/';
const SPOT = '/spot-api/api/private/v1/';
const EARN = '/earn-api/v1/user/';

const INSTRUMENT =
  'symbol securityId securityType instrumentStatus baseAssetIncrement quoteAssetIncrement ' +
  'baseAssetMinOrderSize quoteAssetMinOrderSize open fiat apiTradeSupported';
const ORDER =
  'account clOrdId side orderQty quoteOrderQty price symbol securityId ordType execInst ' +
  'timeInForce';
const PLAN =
  'planId planType planName apr apy coin label lockDay minLockDay minlockDay maxLockDay ' +
  'userAmountMin userAmountMax supportEarlyRedemption supportAutoRenew applyId maxApr minApr';
const PAGE = 'items currentPage pageSize totalNum totalPage';

/** By call: the fields of the request, and those of the answer at any depth. */
const SPEC: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  'GET /spot-api/api/public/v1/instruments': ['symbol securityId securityType', INSTRUMENT],
  'GET /spot-api/api/public/v2/instruments': ['symbol securityId securityType', INSTRUMENT],
  [`${MARKET}orderbook`]: ['symbol depth', 'symbol depth transactTime lastUpdateId bids asks'],
  [`${MARKET}l3Orderbook`]: ['symbol', 'version transactTime symbol bids asks'],
  [`POST ${SPOT}testorder`]: [ORDER, ''],
  [`POST ${SPOT}order`]: [ORDER, 'orderId symbol clOrdId transactTime'],
  [`POST ${SPOT}order/cancel`]: [
    'account orderId clOrdId origClOrdId',
    'orderId clOrdId origClOrdId',
  ],
  [`POST ${SPOT}order/masscancel`]: ['clOrdId symbol securityId', 'clOrdId symbol securityId'],
  [`GET ${SPOT}orders`]: [
    'type orderId clOrdId symbol securityId lastRowId size startDate endDate filter',
    'data pagination currentPage size startRowId lastRowId rowId type account orderId execId ' +
      'clOrdId side orderQty quoteOrderQty cumQty leavesQty price stopPx avgPx lastPx lastQty ' +
      'symbol securityId ordType timeInForce ordStatus execType transactTime ordRejReason ' +
      'ordRejText ordCxlText execInst',
  ],
  [`GET ${EARN}plan/list`]: ['', PLAN],
  [`GET ${EARN}plan/detail`]: ['planId', PLAN],
  [`GET ${EARN}apply/preview`]: [
    'planId amount day',
    'planId amount coin apr apy totalApr totalApy planType lockDay interestAmount ' +
      'totalInterestAmount rewardFrequency appliedAmount userAmountMin userAmountMax startDate ' +
      'endDate boosterInfo boosterAmount supportAutoRenew',
  ],
  [`POST ${EARN}plan/apply`]: ['planId amount lockDay autoRenew', 'applyId amount'],
  [`GET ${EARN}apply/detail`]: [
    'applyId',
    'applyId amount apy coin startDate endDate lockDay planId planName planType rewardFrequency ' +
      'redeemHistories createTime redeemLockTime status supportEarlyRedemption ' +
      'totalEarnedAmount autoRenew',
  ],
  [`POST ${EARN}apply/redeem`]: ['applyId amount', ''],
  [`GET ${EARN}redeem/preview`]: [
    'applyId amount',
    'boosterAmount boosterCoin earnedAmount forfeitedEarningAmount timeToRedeem',
  ],
  [`GET ${EARN}apply/currentList`]: [
    'currentPage pageNum pageSize',
    'applyId amount apy apyPct autoCompound coin startDate endDate hadBooster lockDay planId ' +
      'planName planType rewardFrequency status supportEarlyRedemption totalEarnedAmount',
  ],
  [`GET ${EARN}apply/interest`]: ['applyId currentPage pageSize', `${PAGE} coin date earnedAmount`],
  [`POST ${EARN}plan/detail/edit`]: ['applyId uid autoRenew', ''],
  [`POST ${EARN}earn/plans/list`]: [
    'planType symbol currentPage pageNum pageSize',
    `${PAGE} subscriptionId planId planType asset startTime maturityTime principal earnings ` +
      'redemptionStatus maturityAmount marginAllocation',
  ],
  [`POST ${EARN}yield/manage/list`]: [
    'asset pageNum pageSize',
    `${PAGE} asset planId planDuration apy apyPct enterpriseMargin userId planType`,
  ],
  [`POST ${EARN}edit/enterpriseMargin`]: ['planId margin', ''],
  'POST /user-center/common/sendEmailAuthCode': ['operationType', ''],
  'POST /user-center/v1/api/create': ['emailAuthCode googleAuthCode alias moduleIds', ''],
};
/** The document leaves the answers of these open. */
const ANSWER_NOT_SHOWN = ['/user-center/'];

const nameOf = ({ method, path }: ApiCall): string => `${method} ${path}`;

/** The names of the fields of an answer, at any depth. */
export function fieldNamesIn({ shape }: Answer): readonly string[] {
  switch (shape.kind) {
    case 'object':
      return Object.entries(shape.fields).flatMap(([name, field]) => [
        name,
        ...fieldNamesIn(field),
      ]);
    case 'nullable':
    case 'map':
      return fieldNamesIn(shape.value);
    case 'list':
      return fieldNamesIn(shape.item);
    case 'anyOf':
      return shape.options.flatMap(fieldNamesIn);
    default:
      return [];
  }
}

const code = (names: readonly string[]): string =>
  names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
const without = (names: Iterable<string>, listed: string): readonly string[] => {
  const known = new Set(listed.split(' '));
  return [...new Set(names)].filter((name) => !known.has(name));
};

/** The calls of the contract that have more fields here. */
export function extendedCalls(): string {
  const rows = allCalls.flatMap((call) => {
    const spec = SPEC[nameOf(call)];
    if (spec === undefined) return [];
    const sent = without(fieldsOf(call).fields.keys(), spec[0]);
    const isShown = !ANSWER_NOT_SHOWN.some((path) => call.path.startsWith(path));
    const answered = isShown ? without(fieldNamesIn(call.answer), spec[1]) : [];
    return sent.length + answered.length === 0
      ? []
      : [[`\`${nameOf(call)}\``, code(sent), code(answered)]];
  });
  return markdownTable(['call', 'request', 'answer'], rows);
}

/** The calls that the contract does not have; those of the operator are listed apart. */
export function addedCalls(): string {
  const rows = allCalls
    .filter((call) => SPEC[nameOf(call)] === undefined && call.access !== 'operator')
    .map((call) => [`\`${nameOf(call)}\``, call.summary]);
  return markdownTable(['call', 'what'], rows);
}

/** The calls of the contract, for the test that agio has them all. */
export const CONTRACT_CALLS = Object.entries(SPEC).map(([name, [request, answer]]) => ({
  name,
  request: request.split(' ').filter((field) => field !== ''),
  answer: answer.split(' ').filter((field) => field !== ''),
}));

/** The fields of an answer that may be null, and the type of their other values. */
export function nullableFields(): string {
  const rows = new Map<string, string[]>();
  const visit = (answer: Answer, owner: string): void => {
    const { shape } = answer;
    if (shape.kind === 'object') {
      for (const [name, field] of Object.entries(shape.fields)) {
        if (field.shape.kind === 'nullable') {
          const row = `${name}\n${typeOf(field.shape.value)}`;
          const owners = rows.get(row) ?? [];
          if (!owners.includes(owner)) owners.push(owner);
          rows.set(row, owners);
        }
        visit(field, owner);
      }
    } else if (shape.kind === 'nullable' || shape.kind === 'map') visit(shape.value, owner);
    else if (shape.kind === 'list') visit(shape.item, owner);
    else if (shape.kind === 'anyOf') for (const each of shape.options) visit(each, owner);
  };
  for (const call of allCalls) {
    if (call.access !== 'operator') visit(call.answer, call.path.split('/').slice(-2).join('/'));
  }
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return markdownTable(
    ['field', 'type', 'calls'],
    sorted.map(([row, owners]) => {
      const [name, type] = row.split('\n');
      return [`\`${name}\``, `${type} or null`, owners.map((owner) => `\`${owner}\``).join(', ')];
    }),
  );
}

function typeOf({ shape }: Answer): string {
  switch (shape.kind) {
    case 'oneOf':
      return typeof shape.values[0] === 'number' ? 'integer' : 'text';
    case 'time':
      return 'time, epoch ms';
    case 'timeText':
      return 'text of epoch ms';
    case 'decimalText':
      return 'text of a decimal';
    case 'nullable':
      return typeOf(shape.value);
    default:
      return shape.kind;
  }
}
