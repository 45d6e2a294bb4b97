// The steps of the quickstart: a key, a read, and an order that is only checked.
import { docsText } from '../messages/docs.ts';
import { type SampleKey, type SampleLanguage, signedRequest } from './samples.ts';

const t = docsText.quickstart;

export interface Step {
  readonly title: string;
  readonly how: string;
  readonly code: string;
}

/** Each step goes on where the step before ended: in one terminal, or in one file. */
export function quickstart(
  language: SampleLanguage,
  key: SampleKey,
  symbol: string,
): readonly Step[] {
  const balances = signedRequest('GET', '/spot-api/api/private/v1/balances');
  const body = `{"symbol":"${symbol}","side":1,"ordType":1,"quoteOrderQty":100}`;
  const order = signedRequest('POST', '/spot-api/api/private/v1/testorder', body);
  const [key1, read, check] = t.how[language.name as keyof typeof t.how];
  return [
    { title: t.key, how: key1!, code: language.setup(key, balances) },
    { title: t.read, how: read!, code: language.call(balances) },
    { title: t.check, how: check!, code: language.call(order) },
  ];
}
