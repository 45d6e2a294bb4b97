// One pair: its status as one control, and its terms.
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { Amount } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { grouped, percent } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { CancelOrders } from '../parts/cancel-orders.tsx';
import { Facts } from '../parts/facts.tsx';
import { nearestInto, useForm } from '../parts/form.ts';
import { FormFrame, SaveButtons } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { SELF_TRADE, type TermsValues, termsOf, toTermsChange } from './instrument.ts';
import { StatusControl } from './status-control.tsx';
import { TermsFields } from './terms-fields.tsx';

export function InstrumentPage({ symbol }: { readonly symbol: string }) {
  const instruments = useLive(feeds.instruments);
  return (
    <PageFrame
      title={symbol}
      lead={
        <Anchor component={Link} href="/operator/markets" size="sm">
          All markets
        </Anchor>
      }
      actions={<AsOf live={[instruments]} />}
    >
      <Loaded live={instruments} rows={8}>
        {(all) => {
          const found = all.find((one) => one.symbol === symbol);
          if (found === undefined) return <Empty title="There is no such pair" />;
          return <Instrument key={JSON.stringify(termsOf(found))} instrument={found} />;
        }}
      </Loaded>
    </PageFrame>
  );
}

function Instrument({ instrument }: { readonly instrument: operator.Instrument }) {
  const { symbol, baseAsset, quoteAsset, lastPrice } = instrument;
  return (
    <>
      <Panel title="Status" actions={<CancelOrders symbol={symbol} />}>
        <StatusControl symbol={symbol} status={instrument.instrumentStatus} />
      </Panel>
      <Panel title="For good">
        <Facts
          facts={[
            ['Number', instrument.securityId],
            ['Last price', <Amount key="last" value={lastPrice} asset={quoteAsset} />],
            [
              'Price step',
              <Amount key="tick" value={instrument.quoteAssetIncrement} asset={quoteAsset} />,
            ],
            [
              'Quantity step',
              <Amount key="lot" value={instrument.baseAssetIncrement} asset={baseAsset} />,
            ],
          ]}
        />
      </Panel>
      <Terms instrument={instrument} />
    </>
  );
}

const PERCENTS: readonly string[] = ['makerFee', 'takerFee', 'priceBand'];

function Terms({ instrument }: { readonly instrument: operator.Instrument }) {
  const { symbol } = instrument;
  const assets = useLive(feeds.assets).data ?? [];
  const form = useForm<TermsValues>(termsOf(instrument));
  const checked = toTermsChange(form.values, instrument, assets);
  const isChanged = !checked.ok || Object.keys(checked.body).length > 0;
  const amend = useAction(operator.amendInstrument, {
    done: `The terms of ${symbol} are changed.`,
    refreshes: [keys.instruments, ['instruments'], ['fees']],
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) amend.run(symbol, checked.body);
  };
  return (
    <div className={isChanged ? parts.split : undefined}>
      <Panel title="Terms">
        <FormFrame onSubmit={submit} gap="lg">
          <Text size="sm" className="dim">
            Changes hold at once, for orders that come; orders in the book stay.
          </Text>
          <div className={parts.fields}>
            <TermsFields
              form={form}
              checked={checked}
              base={instrument.baseAsset}
              quote={instrument.quoteAsset}
            />
          </div>
          <RefusalNote
            error={amend.error}
            onUse={nearestInto(form, PERCENTS)}
            percents={PERCENTS}
          />
          <SaveButtons isChanged={isChanged} pending={amend.pending} onUndo={() => form.reset()} />
        </FormFrame>
      </Panel>
      {isChanged ? (
        <Preview
          method="PATCH"
          path={`/instruments/${symbol}`}
          checked={checked}
          sentences={(body) => changesOf(body, instrument)}
        />
      ) : null}
    </div>
  );
}

/** Each term that changes, from what to what. */
function changesOf(body: Partial<operator.InstrumentTerms>, now: operator.Instrument): string[] {
  const { baseAsset, quoteAsset } = now;
  const amount = (asset: string) => (value: string) => `${grouped(value)} ${asset}`;
  const selfTrade = (value: string) => SELF_TRADE.find((one) => one.value === value)!.label;
  const band = (value: string) => (value === '0' ? 'none' : percent(value));
  const names = [
    ['baseAssetMinOrderSize', 'Least quantity', amount(baseAsset)],
    ['quoteAssetMinOrderSize', 'Least value', amount(quoteAsset)],
    ['makerFee', 'Fee of the maker', percent],
    ['takerFee', 'Fee of the taker', percent],
    ['priceBand', 'Price band', band],
    ['selfTradePrevention', 'Self-trade prevention', selfTrade],
  ] as const;
  return names
    .filter(([field]) => body[field] !== undefined)
    .map(([field, name, write]) => `${name}: ${write(now[field])} → ${write(body[field]!)}`);
}
