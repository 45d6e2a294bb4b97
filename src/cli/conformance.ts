// agio conformance: holds a server against the contract, clause by clause.
import { defineCommand } from 'citty';
import type { DocumentName } from '../conformance/check.ts';
import { type CheckResult, conformance } from '../conformance/run.ts';
import { stringify } from '../contract/json.ts';
import { about, CliError } from './command.ts';
import { print, printError, wrapped } from './output.ts';

const DOCUMENTS: Readonly<Record<DocumentName, string>> = {
  earn: 'Earn interface and shared conventions',
  trading: 'Spot trading and market data',
  agio: 'agio’s own',
};

const SIGN = { passed: '✓', failed: '✗', skipped: '–' } as const;
const INDENT = '            ';

export const conformanceCommand = defineCommand({
  meta: about(
    'conformance',
    'Holds a server against the contract, clause by clause',
    [
      'agio conformance --url https://exchange.example.com --key … --secret …',
      'agio conformance --url http://127.0.0.1:8080 --symbol BTC-USDT --subscribe --json',
    ],
    {
      notes:
        'Works with one account: its key needs modules 5 and 6, and 1 for earn (2 and 3 as well with\n' +
        '--subscribe). It needs an open pair and money for a few of the smallest orders there (of the\n' +
        'base asset too, to sell). Orders rest far from the market, but for two that meet each other\n' +
        'inside the spread, and all are canceled at the end. Checks that would touch other orders of\n' +
        'the account are skipped. About 15 requests fail to sign, on purpose. Key and secret may come\n' +
        'from AGIO_KEY and AGIO_SECRET, where other users of the machine do not see them.\n' +
        'Ends with 0 when nothing failed, and with 1 when something did; what was skipped says why.',
    },
  ),
  args: {
    url: { type: 'string', valueHint: 'URL', description: 'The server.' },
    key: { type: 'string', valueHint: 'KEY', description: 'The API key (AGIO_KEY).' },
    secret: { type: 'string', valueHint: 'SECRET', description: 'Its secret (AGIO_SECRET).' },
    symbol: {
      type: 'string',
      valueHint: 'PAIR',
      description:
        'The pair to trade; unless given, the first open one that the account can bid in.',
    },
    subscribe: {
      type: 'boolean',
      description: 'Also subscribe the least amount to a flexible plan, and redeem it.',
    },
    only: {
      type: 'string',
      valueHint: 'IDS',
      description: 'Beginnings of ids with commas between them: AUTH,ORD-11. All unless given.',
    },
    json: { type: 'boolean', description: 'Print the results as JSON.' },
  },
  async run({ args }) {
    const { url } = args;
    if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new CliError('--url is the server, such as http://127.0.0.1:8080.');
    }
    const apiKey = args.key ?? process.env.AGIO_KEY ?? '';
    const secretKey = args.secret ?? process.env.AGIO_SECRET ?? '';
    if (apiKey === '' || secretKey === '') {
      throw new CliError('The account needs --key and --secret, or AGIO_KEY and AGIO_SECRET.');
    }
    const { symbol, subscribe } = args;
    const only = args.only?.split(',');
    const options = { url, apiKey, secretKey, symbol, subscribe, only };
    const results: CheckResult[] = [];
    try {
      for await (const result of conformance(options)) {
        results.push(result);
        if (args.json !== true) print(lineOf(result));
      }
    } catch (error) {
      if (results.length > 0) throw error;
      throw new CliError(
        `${url} does not answer: ${error instanceof Error ? error.message : error}`,
      );
    }
    const count = (outcome: CheckResult['outcome']): number =>
      results.filter((result) => result.outcome === outcome).length;
    const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
    if (args.json === true) print(stringify({ url, passed, failed, skipped, results }));
    else print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    if (passed === 0) printError('Nothing could be proved with this account.');
    return failed === 0 && passed > 0 ? 0 : 1;
  },
});

/** A result; of one that is not good, with the clause and what came. */
function lineOf({ id, clause, outcome, expected, got, reason }: CheckResult): string {
  const head = `${SIGN[outcome]} ${id.padEnd(8)}  ${clause.rule}`;
  if (outcome === 'passed') return head;
  const where = `${DOCUMENTS[clause.document]}: ${clause.section}`;
  const why =
    outcome === 'skipped'
      ? [`skipped: ${reason}`]
      : [where, `expected: ${expected}`, `came: ${got}`];
  return [head, ...why.map((line) => wrapped(line, INDENT))].join('\n');
}
