// The SDK's table of calls, the methods of its clients, and the tables of methods in docs/sdk.md.
import { type ApiCall, type ClientName, sdkFieldsOf } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CODES } from '../../src/contract/codes.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { markdownTable } from '../markdown.ts';
import { TYPES, typeOf } from './answers.ts';
import { requestType } from './requests.ts';
import { arrayOf, comment, head, Imports, literal } from './source.ts';

/** By client, the name of its class and of its calls. */
const CLIENTS = {
  customer: ['AgioClient', 'calls'],
  userCenter: ['UserCenterClient', 'userCenterCalls'],
  operator: ['OperatorClient', 'operatorCalls'],
} as const satisfies Record<ClientName, unknown>;

export const className = ({ client }: ApiCall): string => CLIENTS[client][0];

/** Classes of methods: each is the base of a client, which adds what is more than one call. */
const CLASSES: readonly {
  readonly file: string;
  readonly name: string;
  readonly parent: readonly [name: string, file: string];
  readonly about: string;
  readonly has: (call: ApiCall) => boolean;
}[] = [
  {
    file: 'methods-public.ts',
    name: 'PublicMethods',
    parent: ['ApiClient', 'api-client.ts'],
    about: 'The public calls.',
    has: ({ client, access }) => client === 'customer' && access === 'public',
  },
  {
    file: 'methods-trading.ts',
    name: 'TradingMethods',
    parent: ['PublicClient', 'public-client.ts'],
    about: 'The private calls of trading and of the account.',
    has: ({ area }) => area === 'orders' || area === 'account',
  },
  {
    file: 'methods-earn.ts',
    name: 'EarnMethods',
    parent: ['TradingClient', 'trading-client.ts'],
    about: 'The private calls of earn and of enterprises.',
    has: ({ area, access }) => (area === 'earn' || area === 'enterprise') && access !== 'public',
  },
  {
    file: 'methods-user-center.ts',
    name: 'UserCenterMethods',
    parent: ['ApiClient', 'api-client.ts'],
    about: 'The calls of the user center.',
    has: ({ client }) => client === 'userCenter',
  },
  {
    file: 'methods-operator.ts',
    name: 'OperatorMethods',
    parent: ['ApiClient', 'api-client.ts'],
    about: 'The calls of the operator.',
    has: ({ client }) => client === 'operator',
  },
];

/** By file, the methods of the clients. */
export function methods(): [file: string, text: string][] {
  const all = Object.values(CALLS).flatMap(Object.values<ApiCall>);
  return CLASSES.map(({ file, name, parent, about, has }) => {
    const imports = new Imports();
    const made = all.filter(has);
    const table = CLIENTS[made[0]!.client][1];
    const written = made.map((call) => methodOf(call, table, imports)).join('\n');
    return [
      file,
      `${head(about)}import { ${parent[0]} } from '../${parent[1]}';
import { ${table} } from './calls.ts';
${imports.text(`./${file}`)}
export abstract class ${name} extends ${parent[0]} {
${written}}
`,
    ];
  });
}

function methodOf(call: ApiCall, table: string, imports: Imports): string {
  const { name, repeat, contentTypes = [] } = call;
  const options = repeat === 'keyed' ? 'WriteOptions' : 'CallOptions';
  imports.add('../transport.ts', options);
  const parts = partsOf(call).map((part) => `${part}: ${PART_TYPES[part] ?? 'string'}`);
  const parameters = [...parts, ...requestParameter(call, imports), `options?: ${options}`];
  const isText = contentTypes[0] === 'text/plain';
  const sent = [
    `${table}.${name}`,
    sdkFieldsOf(call).fields.size === 0 ? '{}' : 'request',
    'options',
    ...(parts.length === 0 ? [] : [`{ ${partsOf(call).join(', ')} }`]),
  ];
  const said = [
    call.deprecated === undefined ? '' : '@deprecated',
    call.summary.replace('Deprecated: as', 'As'),
    call.about ?? '',
    throwsOf(call),
  ];
  const about = comment(said.filter((each) => each !== '').join(' '), '  ');
  const type = answerType(call, imports);
  return `${about}  ${name}(${parameters.join(', ')}): Promise<${type}> {
    return this.${isText ? 'sendForText' : 'send'}(${sent.join(', ')});
  }
`;
}

/** Errors that every method may throw; the clients document them. */
const COMMON = ['InvalidRequest', 'EarnRejection', 'RateLimited', 'Unavailable', 'ServerFailure'];

/** The classes of a call's own rejections. */
function throwsOf({ rejections = [] }: ApiCall): string {
  const classes = rejections.map((name) => CODES[REJECTIONS[name].codeName].sdk);
  const own = [...new Set(classes)].filter((name) => !COMMON.includes(name)).sort();
  return own.length === 0 ? '' : `Throws ${own.join(', ')}.`;
}

/** Path parts that are not texts. */
const PART_TYPES: Readonly<Record<string, string>> = {
  uid: 'number',
  enterpriseId: 'number',
  planId: 'string | number',
};

const partsOf = ({ path }: ApiCall): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!);

function requestParameter(call: ApiCall, imports: Imports): string[] {
  const fields = [...sdkFieldsOf(call).fields.values()];
  if (fields.length === 0) return [];
  const type = requestType(call);
  imports.add(TYPES, type);
  const isOptional = fields.every(({ optional }) => optional) && call.method !== 'PATCH';
  return [`request: ${type}${isOptional ? ' = {}' : ''}`];
}

/** A list is the caller's own, so it may change it. */
function answerType({ answer }: ApiCall, imports: Imports): string {
  const { shape } = answer;
  return shape.kind === 'list' ? arrayOf(typeOf(shape.item, imports)) : typeOf(answer, imports);
}

/** The table of all calls. */
export function callTable(): string {
  const groups = (Object.keys(CALLS) as ClientName[]).map((client) => {
    const rows = Object.values(CALLS[client]).map((call) => `  ${call.name}: ${specOf(call)},\n`);
    const table = CLIENTS[client][1];
    return `\nexport const ${table} = {\n${rows.join('')}} satisfies Record<string, CallSpec>;\n`;
  });
  const about = head('Every call of the API: its place, and how to repeat it.');
  return `${about}import type { CallSpec } from '../call-spec.ts';
${groups.join('')}`;
}

/** True if a call that is no GET has its fields in the query. */
export const isInQuery = (call: ApiCall): boolean =>
  call.method !== 'GET' && sdkFieldsOf(call) === call.query && call.query.fields.size > 0;

function specOf(call: ApiCall): string {
  const { method, path, access, repeat, envelope } = call;
  const inQuery = isInQuery(call);
  const caller = typeof access === 'object' ? 'private' : access;
  const spec = {
    method,
    path,
    access: caller,
    repeat,
    ...(envelope === undefined ? {} : { earn: true }),
    ...(inQuery ? { inQuery } : {}),
  };
  const members = Object.entries(spec).map(([name, value]) => `${name}: ${literal(value)}`);
  return `{ ${members.join(', ')} }`;
}

/** The table of a client's methods. */
export function methodsTable(client: string): string {
  const [group] = Object.entries(CLIENTS).find(([, [name]]) => name === client)!;
  const rows = Object.values(CALLS[group as ClientName]).map((call) => {
    const fields = [...sdkFieldsOf(call).fields];
    const listed = fields.map(([field, { optional }]) => `${field}${optional ? '?' : ''}`);
    const sent = [...partsOf(call), ...(listed.length === 0 ? [] : [`{ ${listed.join(', ')} }`])];
    const shown = sent.length === 0 ? '–' : `\`${sent.join(', ')}\``;
    return [`\`${call.name}\``, `\`${call.method} ${call.path}\``, shown, call.repeat];
  });
  return markdownTable(['method', 'call', 'takes', 'lost'], rows);
}
