// Every field of an operator's call that a form sends has a label, which puts it into the form.
import { expect, test } from 'bun:test';
import {
  ASSET,
  ENTERPRISE,
  INSTRUMENT,
  KEY,
  PLAN,
  TRANSFER,
  USER,
} from '../../../src/contract/generated/operator-fields.ts';
import { forms } from '../../messages/operator-forms.ts';
import { ledgerText } from '../../messages/operator-ledger.ts';
import { marketsText } from '../../messages/operator-markets.ts';
import { plansText } from '../../messages/operator-plans.ts';
import { usersText } from '../../messages/operator-users.ts';

test.each<[string, Readonly<Record<string, { readonly kind: string }>>, object]>([
  ['user', USER, usersText.fields],
  ['key', KEY, usersText.keyFields],
  ['enterprise', ENTERPRISE, usersText.enterpriseFields],
  ['asset', ASSET, marketsText.assetFields],
  ['instrument', INSTRUMENT, marketsText.fields],
  ['plan', PLAN, plansText.fields],
  ['transfer', TRANSFER, { ...forms.fields, ...ledgerText.fields }],
])('the form of a %s labels every field', (_, terms, labels) => {
  const inputs = Object.keys(terms).filter((name) => terms[name]!.kind !== 'object');
  expect(inputs.filter((name) => !(name in labels))).toEqual([]);
});
