// The parts of the ccxt class that repeat the contract: the exceptions of rejections, and the
// calls.
import { allCalls } from '../../src/contract/calls.ts';
import { CODES, type CodeName } from '../../src/contract/codes.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { orderV2Body } from '../../src/contract/trading/order-terms.ts';
import { orderBody } from '../../src/contract/trading/orders.ts';
import { CANDLE_INTERVALS } from '../../src/core/calendar.ts';
import { isInQuery } from './methods.ts';
import { head, literal } from './source.ts';

const NAMES = Object.keys(CODES) as CodeName[];

export function ccxtExceptions(): string {
  const exact = NAMES.map((name) => `    '${CODES[name].code}': ${CODES[name].ccxt},`);
  const broad = Object.values(REJECTIONS)
    .filter(({ codeName, ccxt }) => ccxt !== CODES[codeName].ccxt)
    .map(({ text, ccxt }) => `    '${beginningOf(text)}': ${ccxt},`);
  const classes = new Set(Object.values(REJECTIONS).map(({ ccxt }) => ccxt));
  const imported = [...classes].sort().join(', ');
  const about = head('The ccxt exception of each rejection of the exchange.');
  return `${about}import { ${imported} } from 'ccxt';

export const EXCEPTIONS = {
  // By \`code\`; five digits are the \`errorCode\` of an earn call.
  exact: {
${exact.join('\n')}
  },
  // Causes that differ from the others of their code, by the beginning of their sentence.
  broad: {
${broad.join('\n')}
  },
};
`;
}

/** Up to the first colon or full stop: what follows may be more precise in an answer. */
const beginningOf = (text: string): string => text.split(/[:.]/)[0]!;

/** The folder of each group of implicit methods. */
const FOLDERS = {
  'spot/public': '/spot-api/api/public/',
  'spot/private': '/spot-api/api/private/',
  'market/public': '/market-data-server/api/public/',
  'earn/public': '/earn-api/v1/user/',
  'earn/private': '/earn-api/v1/user/',
  'system/public': '/',
} as const;

/** ccxt waits `rateLimit` ms × cost: 20 reads and 50 writes a second, as in production. */
const READ = 1;
const WRITE = 0.4;

type Costs = Readonly<Record<string, number>>;

const newOrderFields = (): string[] =>
  [...orderV2Body.fields.keys()].filter((name) => !orderBody.fields.has(name));

/** The calls in ccxt's form, from which it makes methods such as spotPrivatePostV1Order. */
export function ccxtCalls(): string {
  const api: Record<string, Record<string, Record<string, Costs>>> = {};
  const inQuery: string[] = [];
  for (const call of allCalls) {
    const { client, contentTypes, repeat } = call;
    if (client !== 'customer' || contentTypes?.[0] === 'text/plain') continue;
    const access = call.access === 'public' ? 'public' : 'private';
    const [place, folder] = Object.entries(FOLDERS).find(
      ([name, start]) => name.endsWith(`/${access}`) && call.path.startsWith(start),
    )!;
    const group = place.split('/')[0]!;
    const method = call.method.toLowerCase();
    const path = call.path.slice(folder.length);
    const cost = repeat === 'read' ? READ : WRITE;
    const { [access]: ofGroup = {}, ...rest } = api[group] ?? {};
    const costs: Costs = { ...ofGroup[method], [path]: cost };
    api[group] = { ...rest, [access]: { ...ofGroup, [method]: costs } };
    if (isInQuery(call)) inQuery.push(path);
  }
  return `${head('The calls for ccxt.')}
/** By group, access and method: paths with their costs. */
export const API = ${JSON.stringify(api, null, 2)};

/** The folder of each group of calls. */
export const FOLDERS: Readonly<Record<string, string>> = ${JSON.stringify(FOLDERS, null, 2)};

/** The intervals of candles, under the same names. */
export const TIMEFRAMES = {
${Object.keys(CANDLE_INTERVALS)
  .map((name) => `  '${name}': '${name}',`)
  .join('\n')}
};

/** The fields of an order that version 1 of the calls lacks. */
export const NEW_ORDER_FIELDS: readonly string[] = [${newOrderFields().map(literal).join(', ')}];

/** The POSTs whose parameters are in the query; their body is empty. */
export const POST_WITH_QUERY: readonly string[] = [${inQuery.map(literal).join(', ')}];
`;
}
