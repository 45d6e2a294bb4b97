// A new pair: its assets, its grid, its terms.

import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { InstrumentStatus } from '../../../src/sdk/index.ts';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { FIELD, fieldOf, nearestInto, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import {
  EMPTY_LISTING,
  type ListingValues,
  listingSentences,
  STATUSES,
  toListing,
} from './instrument.ts';
import { TermsFields } from './terms-fields.tsx';

const PERCENTS: readonly string[] = ['makerFee', 'takerFee', 'priceBand'];

export function CreateInstrument() {
  const [, navigate] = useLocation();
  const assets = useLive(feeds.assets).data ?? [];
  const form = useForm<ListingValues>(EMPTY_LISTING);
  const checked = toListing(form.values, assets);
  const create = useAction(operator.createInstrument, {
    done: ({ symbol }) => `${symbol} is listed.`,
    refreshes: [keys.instruments, ['instruments'], ['tickers']],
    onDone: ({ symbol }) => navigate(`/operator/markets/${symbol}`),
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) create.run(checked.body);
  };
  return (
    <PageFrame
      title="List a pair"
      lead={
        <Anchor component={Link} href="/operator/markets" size="sm">
          All markets
        </Anchor>
      }
    >
      <div className={parts.split}>
        <Panel>
          <FormFrame onSubmit={submit} gap="lg">
            <Text size="sm" className="dim">
              Both assets have to be listed.{' '}
              <Anchor
                component={Link}
                href="/operator/markets/new-asset"
                size="sm"
                underline="always"
              >
                List an asset
              </Anchor>
            </Text>
            <div className={parts.fields}>
              <ForGood form={form} checked={checked} assets={assets} />
              <TermsFields
                form={form}
                checked={checked}
                base={form.values.base}
                quote={form.values.quote}
              />
              <StatusField form={form} />
            </div>
            <RefusalNote
              error={create.error}
              onUse={nearestInto(form, PERCENTS)}
              percents={PERCENTS}
            />
            <Group>
              <Button type="submit" loading={create.pending}>
                List the pair
              </Button>
            </Group>
          </FormFrame>
        </Panel>
        <Preview method="POST" path="/instruments" checked={checked} sentences={listingSentences} />
      </div>
    </PageFrame>
  );
}

function StatusField({ form }: Pick<ForGoodProps, 'form'>) {
  return (
    <NativeSelect
      {...FIELD}
      label="Status"
      description={STATUSES.find((one) => one.value === form.values.instrumentStatus)!.what}
      value={form.values.instrumentStatus}
      onChange={(event) =>
        form.set('instrumentStatus', event.currentTarget.value as InstrumentStatus)
      }
      data={STATUSES.map(({ value, label }) => ({ value, label }))}
    />
  );
}

interface ForGoodProps {
  readonly form: ReturnType<typeof useForm<ListingValues>>;
  readonly checked: ReturnType<typeof toListing>;
  readonly assets: readonly operator.Asset[];
}

/** What a pair is for good: its assets and its grid. */
function ForGood({ form, checked, assets }: ForGoodProps) {
  const choices = [{ value: '', label: 'Choose…' }, ...assets.map(({ asset }) => asset)];
  const { base, quote } = form.values;
  return (
    <>
      <NativeSelect
        label="Traded asset (base)"
        description="What quantities are counted in."
        data={choices}
        {...fieldOf(form, 'base', checked)}
        onChange={(event) => form.set('base', event.currentTarget.value)}
      />
      <NativeSelect
        label="Paid with (quote)"
        description="What prices are counted in."
        data={choices}
        {...fieldOf(form, 'quote', checked)}
        onChange={(event) => form.set('quote', event.currentTarget.value)}
      />
      <DecimalInput
        label="Quantity step (lot)"
        description="Quantities are multiples of it. It never changes."
        placeholder="0.0001"
        unit={base}
        {...fieldOf(form, 'baseAssetIncrement', checked)}
      />
      <DecimalInput
        label="Price step (tick)"
        description="Prices are multiples of it. It never changes."
        placeholder="0.01"
        unit={quote}
        {...fieldOf(form, 'quoteAssetIncrement', checked)}
      />
    </>
  );
}
