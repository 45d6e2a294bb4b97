// The open plans as cards by type or in a table, with filters.
import { Badge, SegmentedControl, Select, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useSearch } from 'wouter';
import { PlanType } from '../../src/sdk/index.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { type Column, column, DataTable } from '../components/data-table.tsx';
import { Amount } from '../components/figures.tsx';
import { Empty, Panel } from '../components/layout.tsx';
import { LinkButton, PlainButton, TextLink } from '../components/texts.tsx';
import { isPositive } from '../exact/decimal.ts';
import { earnText } from '../messages/earn.ts';
import { stored } from '../session/stored.ts';
import styles from './offers.module.css';
import {
  type Choice,
  capacityOf,
  chosen,
  coinsOf,
  factsOf,
  type Offer,
  rateWord,
} from './offers.ts';
import { Facts } from './parts.tsx';
import {
  amountIn,
  aprWord,
  arrivalWord,
  redeemFact,
  TYPE_OPTIONS,
  termWord,
  typeWord,
} from './words.ts';

const t = earnText.offers;

const KINDS: readonly { readonly type: PlanType; readonly lead: string }[] = [
  { type: PlanType.flexible, lead: earnText.typeLeads.flexible },
  { type: PlanType.fixed, lead: earnText.typeLeads.fixed },
  { type: PlanType.customized, lead: earnText.typeLeads.customized },
];

/** Cards, or a table that compares the plans; the browser remembers it. */
const view = stored(localStorage, 'agio.planView');

export interface OffersProps {
  readonly offers: readonly Offer[];
  readonly loggedIn: boolean;
}

export function Offers({ offers, loggedIn }: OffersProps) {
  const linked = new URLSearchParams(useSearch()).get('coin') ?? '';
  const coins = coinsOf(offers);
  // The wallet links here with a coin; a coin without a plan is ignored.
  const form = useForm<Choice>({
    initialValues: { coin: coins.includes(linked) ? linked : '', type: 'all', order: 'rate' },
  });
  const shown = chosen(offers, form.values);
  const isTable = view.use() === 'table';
  return (
    <section className={styles.section} aria-labelledby="plans">
      <Head form={form} coins={coins} isTable={isTable} />
      {offers.length === 0 ? <Empty title={t.none} hint={t.noneWhy} /> : null}
      {offers.length > 0 && shown.length === 0 ? (
        <Empty
          title={t.noMatch}
          action={
            <PlainButton size="xs" onClick={() => form.setValues({ coin: '', type: 'all' })}>
              {t.showAll}
            </PlainButton>
          }
        />
      ) : null}
      {isTable && shown.length > 0 ? (
        <Panel flush>
          <DataTable
            label={t.compare}
            rows={shown}
            columns={columns(loggedIn)}
            keyOf={({ plan }) => plan.planId}
          />
        </Panel>
      ) : (
        KINDS.map(({ type, lead }) => (
          <Kind
            key={type}
            title={typeWord(type)}
            lead={lead}
            offers={shown.filter(({ plan }) => plan.planType === type)}
            loggedIn={loggedIn}
          />
        ))
      )}
    </section>
  );
}

interface HeadProps {
  readonly form: UseFormReturnType<Choice>;
  readonly coins: readonly string[];
  readonly isTable: boolean;
}

/** The title, with the filters, the order and the view. */
function Head({ form, coins, isTable }: HeadProps) {
  return (
    <div className={styles.head}>
      <h2 id="plans">{t.title}</h2>
      <div className={styles.chooser}>
        <SegmentedControl
          size="xs"
          aria-label={t.view}
          value={isTable ? 'table' : 'cards'}
          onChange={(chosenView) => view.set(chosenView)}
          data={Object.entries(t.views).map(([value, label]) => ({ value, label }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={t.type}
          {...form.getInputProps('type')}
          data={[{ value: 'all', label: t.allTypes }, ...TYPE_OPTIONS]}
        />
        <Select
          size="xs"
          w={120}
          aria-label={t.coin}
          {...form.getInputProps('coin')}
          data={[{ value: '', label: t.allCoins }, ...coins]}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={{ base: 200, sm: 160 }}
          aria-label={t.order}
          {...form.getInputProps('order')}
          data={Object.entries(t.orders).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
        />
      </div>
    </div>
  );
}

const columns = (loggedIn: boolean): readonly Column<Offer>[] => [
  column.of(t.plan, ({ plan, rate }) => (
    <div className={styles.planCell}>
      <TextLink href={`/earn/plans/${plan.planId}`} fw={550}>
        <span className="clamped">{plan.planName}</span>
      </TextLink>
      <span className="dim">
        {plan.coin} · {typeWord(plan.planType)}
      </span>
      <Text component="span" size="xs" hiddenFrom="sm">
        <b className="figures buy">{rateWord(rate)}</b> {termWord(plan)}
      </Text>
    </div>
  )),
  column.figure(
    earnText.facts.apr,
    ({ rate }) => <b className="figures nowrap buy">{rateWord(rate)}</b>,
    'sm',
  ),
  column.of(
    earnText.facts.term,
    ({ plan }) => <span className="nowrap">{termWord(plan)}</span>,
    'sm',
  ),
  column.figure(
    earnText.facts.minimum,
    ({ plan }) => <Amount value={plan.userAmountMin} asset={plan.coin} />,
    'sm',
  ),
  column.of(
    earnText.facts.redeem,
    ({ plan, terms }) => (
      <>
        {redeemFact(plan.planType, plan.supportEarlyRedemption).value}
        {terms === null || terms.redeemLockHours === 0 ? null : (
          <div className="dim">{arrivalWord(terms.redeemLockHours)}</div>
        )}
      </>
    ),
    'md',
  ),
  // Visitors have no previews, which know the capacity.
  ...(loggedIn
    ? [
        column.figure(
          earnText.facts.capacity,
          (offer: Offer) => <span className="figures nowrap">{capacityOf(offer)}</span>,
          'md',
        ),
      ]
    : []),
  {
    title: t.actions,
    align: 'right',
    pinned: true,
    render: (offer) => <PlanButton offer={offer} loggedIn={loggedIn} compact />,
  },
];

interface KindProps extends OffersProps {
  readonly title: string;
  readonly lead: string;
}

function Kind({ title, lead, offers, loggedIn }: KindProps) {
  if (offers.length === 0) return null;
  return (
    <div className={styles.kind}>
      <h3>{title}</h3>
      <p className="dim">{lead}</p>
      <ul className={styles.grid}>
        {offers.map((offer) => (
          <Card key={offer.plan.planId} offer={offer} loggedIn={loggedIn} />
        ))}
      </ul>
    </div>
  );
}

interface OfferProps {
  readonly offer: Offer;
  readonly loggedIn: boolean;
}

/** Leads to the page of the plan. */
function PlanButton({
  offer: { plan, terms },
  loggedIn,
  compact = false,
}: OfferProps & { readonly compact?: boolean }) {
  const held = terms?.appliedAmount ?? null;
  const action = loggedIn ? (held === null ? t.subscribe : t.add) : t.open;
  return (
    <LinkButton
      href={`/earn/plans/${plan.planId}`}
      {...(compact ? { size: 'xs' } : { fullWidth: true })}
      aria-label={t.action(action, plan.planName)}
    >
      {action}
    </LinkButton>
  );
}

function Card({ offer, loggedIn }: OfferProps) {
  const { plan, rate, terms } = offer;
  const held = terms?.appliedAmount ?? null;
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <AssetIcon asset={plan.coin} size={26} />
        <span className={`clamped ${styles.name}`} title={plan.planName}>
          {plan.planName}
        </span>
        {plan.label === '' ? null : (
          <Badge size="sm" radius="sm" variant="light" className={styles.label}>
            {plan.label}
          </Badge>
        )}
      </div>
      <div>
        <span className={`figures ${styles.rate}`}>{rateWord(rate)}</span>
        <span className="dim"> {earnText.facts.apr}</span>
        {terms?.boosterInfo ? (
          <div className={`figures ${styles.boost}`}>
            {t.booster(aprWord(terms.boosterInfo.apy), terms.boosterInfo.coin)}
          </div>
        ) : null}
      </div>
      <Facts facts={factsOf(offer).filter((fact) => fact?.name !== earnText.facts.booster)} />
      <div className={styles.foot}>
        <PlanButton offer={offer} loggedIn={loggedIn} />
        {held !== null && isPositive(held) ? (
          <span className="dim figures">{t.held(amountIn(plan.coin, held))}</span>
        ) : null}
      </div>
    </li>
  );
}
