// agio conformance: checks a server against the contract, clause by clause.
import type { DocumentName } from '../conformance/check.ts';
import { type CheckResult, conformance } from '../conformance/run.ts';
import { stringify } from '../contract/json.ts';
import { CliError, command } from './command.ts';
import { print, printError, wrapped } from './output.ts';

const DOCUMENTS: Readonly<Record<DocumentName, string>> = {
  earn: 'Earn interface and shared conventions',
  trading: 'Spot trading and market data',
  agio: 'agio’s own',
};

const SIGN = { passed: '✓', failed: '✗', skipped: '–' } as const;
const INDENT = '            ';

export const conformanceCommand = command({
  name: 'conformance',
  summary: 'Checks a server against the contract, clause by clause',
  examples: [
    'agio conformance --url https://exchange.example.com --key … --secret …',
    'agio conformance --url http://127.0.0.1:8080 --symbol BTC-USDT --subscribe --json',
  ],
  notes:
    'Needs one account whose key has modules 5 and 6, and 1 for earn (also 2 and 3 with\n' +
    '--subscribe), with funds in both assets for a few of the smallest orders of an open pair.\n' +
    'Orders rest far from the market, except two that trade with each other inside the spread.\n' +
    'All are canceled at the end. Checks that would affect other orders of the account are\n' +
    'skipped. About 15 requests have wrong signatures on purpose. Key and secret may come from\n' +
    'AGIO_KEY and AGIO_SECRET, which other users of the machine cannot read.\n' +
    'Exit code 0: nothing failed; 1: something failed. A skipped check states its reason.',
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
  async run(args) {
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

/** A result. One that did not pass has the clause and the answer. */
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
