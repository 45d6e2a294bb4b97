// The fees by volume: the panel with the table, and the page that changes it.
import { useLocation } from 'wouter';
import type { FeeTier, FeeTierTable } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Empty, Loaded, PageFrame } from '../../components/layout.tsx';
import { LinkButton } from '../../components/texts.tsx';
import { useLive } from '../../live/live.ts';
import { marketsText } from '../../messages/operator-markets.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { AsOf, BackLink } from '../parts/marks.tsx';
import { RequestPanel, useCreateForm } from '../parts/request-form.tsx';
import {
  emptyValues,
  finishTiers,
  type TierValues,
  tierLayout,
  tierSentences,
  tierValues,
} from './fee-tier-form.ts';

const { feeTiers: text } = marketsText;
const PATH = '/operator/markets/fee-tiers';

interface TierRow extends FeeTier {
  readonly asset: string;
}

const columns: readonly Column<TierRow>[] = [
  column.amount(text.from, ({ volume, asset }) => ({ value: volume, asset })),
  column.rate(text.maker, ({ makerFee }) => makerFee),
  column.rate(text.taker, ({ takerFee }) => takerFee),
];

const rowsOf = ({ volumeAsset, tiers }: FeeTierTable): readonly TierRow[] =>
  tiers.map((tier) => ({ ...tier, asset: volumeAsset! }));

export function FeeTiersPanel() {
  return (
    <ListPanel
      title={text.title}
      live={useLive(feeds.feeTiers)}
      rows={rowsOf}
      columns={columns}
      keyOf={({ volume }) => volume}
      empty={<Empty title={text.none} hint={text.noneHint} />}
      actions={
        <LinkButton href={PATH} size="xs" variant="default">
          {text.edit}
        </LinkButton>
      }
    />
  );
}

export function FeeTiersPage() {
  const tiers = useLive(feeds.feeTiers);
  const instruments = useLive(feeds.instruments);
  return (
    <PageFrame
      title={text.title}
      lead={<BackLink href="/operator/markets" label={marketsText.allMarkets} />}
      actions={<AsOf live={[tiers, instruments]} />}
    >
      <Loaded live={instruments} rows={8}>
        {(pairs) => {
          const quotes = [...new Set(pairs.map(({ quoteAsset }) => quoteAsset))];
          return (
            <Loaded live={tiers} rows={8}>
              {(table) => <TierForm key={JSON.stringify(table)} table={table} quotes={quotes} />}
            </Loaded>
          );
        }}
      </Loaded>
    </PageFrame>
  );
}

interface TierFormProps {
  readonly table: FeeTierTable;
  /** The assets that pairs are priced in. */
  readonly quotes: readonly string[];
}

function TierForm({ table, quotes }: TierFormProps) {
  const [, navigate] = useLocation();
  const { volumeAsset } = table;
  const named = quotes.includes(volumeAsset ?? quotes[0]!) ? quotes : [volumeAsset!, ...quotes];
  const initial = { ...emptyValues(named), ...tierValues(table) };
  const request = useCreateForm({
    initial: { ...initial, volumeAsset: volumeAsset ?? named[0] ?? '' } as TierValues,
    layout: tierLayout(named, named),
    finish: finishTiers,
    send: (body: ReturnType<typeof finishTiers>) => operator.setFeeTiers(body),
    done: text.saved,
    refreshes: [feedKey('feeTiers'), ['fees'], ['feeTier']],
    onDone: () => navigate('/operator/markets'),
  });
  return (
    <RequestPanel
      lead={text.lead}
      request={request}
      submit={text.save}
      call="POST /fee-tiers"
      sentences={tierSentences}
    />
  );
}
