// One pair: its status, what is immutable, and its terms.
import type { ListedInstrument } from '../../../src/sdk/index.ts';
import { Amount } from '../../components/figures.tsx';
import { Empty, Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { CancelOrders } from '../parts/cancel-orders.tsx';
import { AsOf, BackLink, Facts } from '../parts/marks.tsx';
import { RequestPanel, useEditForm } from '../parts/request-form.tsx';
import { EMPTY_LISTING, type Terms, termsLayout } from './instrument-form.ts';
import { StatusControl } from './status.tsx';

export function InstrumentPage({ symbol }: { readonly symbol: string }) {
  const instruments = useLive(feeds.instruments);
  return (
    <PageFrame
      title={symbol}
      lead={<BackLink href="/operator/markets" label={text.allMarkets} />}
      actions={<AsOf live={[instruments]} />}
    >
      <Loaded live={instruments} rows={8}>
        {(all) => {
          const found = all.find((one) => one.symbol === symbol);
          if (found === undefined) return <Empty title={text.noSuchPair} />;
          return (
            <Instrument
              key={JSON.stringify({ ...found, instrumentStatus: null, lastPrice: null })}
              instrument={found}
            />
          );
        }}
      </Loaded>
    </PageFrame>
  );
}

interface InstrumentProps {
  readonly instrument: ListedInstrument;
}

function Instrument({ instrument }: InstrumentProps) {
  const { symbol, baseAsset, quoteAsset, lastPrice } = instrument;
  const { quoteAssetIncrement: tick, baseAssetIncrement: lot } = instrument;
  return (
    <>
      <Panel title={text.status} actions={<CancelOrders symbol={symbol} />}>
        <StatusControl instrument={instrument} />
        <Facts
          facts={[[text.lastPrice, <Amount key="last" value={lastPrice} asset={quoteAsset} />]]}
        />
      </Panel>
      <Panel title={text.immutable}>
        <Facts
          facts={[
            [text.number, instrument.securityId],
            [text.tick, <Amount key="tick" value={tick} asset={quoteAsset} />],
            [text.lot, <Amount key="lot" value={lot} asset={baseAsset} />],
          ]}
        />
      </Panel>
      <TermsPanel instrument={instrument} />
    </>
  );
}

function TermsPanel({ instrument }: InstrumentProps) {
  const { symbol, baseAsset: base, quoteAsset: quote } = instrument;
  const request = useEditForm(instrument, {
    initial: { ...EMPTY_LISTING, base, quote },
    layout: termsLayout,
    send: (body: Partial<Terms>) => operator.amendInstrument(symbol, body),
    done: text.termsChanged(symbol),
    refreshes: [feedKey('instruments'), ['instruments'], ['fees']],
  });
  return (
    <RequestPanel
      title={text.terms}
      lead={text.termsNote}
      request={request}
      submit={forms.save}
      call={`PATCH /instruments/${symbol}`}
      sentences={() => request.changes ?? []}
    />
  );
}
