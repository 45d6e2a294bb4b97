// The open plans by type, with filters.
import { Badge, Button, SegmentedControl, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useSearch } from 'wouter';
import { PlanType } from '../../src/sdk/index.ts';
import { Empty } from '../components/states.tsx';
import { isPositive } from '../exact/decimal.ts';
import { percent } from '../exact/format.ts';
import { earnText } from '../messages/earn.ts';
import styles from './offers.module.css';
import { type Choice, chosen, coinsOf, factsOf, type Offer, rateWord } from './offers.ts';
import { Facts } from './parts.tsx';
import { amountIn, TYPE_OPTIONS, typeWord } from './words.ts';

const t = earnText.offers;

const KINDS: readonly { readonly type: PlanType; readonly lead: string }[] = [
  { type: PlanType.flexible, lead: earnText.typeLeads.flexible },
  { type: PlanType.fixed, lead: earnText.typeLeads.fixed },
  { type: PlanType.customized, lead: earnText.typeLeads.customized },
];

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
  return (
    <section className={styles.section} aria-labelledby="plans">
      <div className={styles.head}>
        <h2 id="plans">{t.title}</h2>
        <div className={styles.chooser}>
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
      {offers.length === 0 ? <Empty title={t.none}>{t.noneWhy}</Empty> : null}
      {offers.length > 0 && shown.length === 0 ? (
        <Empty
          title={t.noMatch}
          action={
            <Button
              variant="default"
              size="xs"
              onClick={() => form.setValues({ coin: '', type: 'all' })}
            >
              {t.showAll}
            </Button>
          }
        />
      ) : null}
      {KINDS.map(({ type, lead }) => (
        <Kind
          key={type}
          title={typeWord(type)}
          lead={lead}
          offers={shown.filter(({ plan }) => plan.planType === type)}
          loggedIn={loggedIn}
        />
      ))}
    </section>
  );
}

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

interface CardProps {
  readonly offer: Offer;
  readonly loggedIn: boolean;
}

function Card({ offer, loggedIn }: CardProps) {
  const { plan, rate, terms } = offer;
  const held = terms?.appliedAmount ?? null;
  const action = loggedIn ? (held === null ? t.subscribe : t.add) : t.view;
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.coin}>{plan.coin}</span>
        <span className={styles.name}>{plan.planName}</span>
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
            {t.booster(percent(terms.boosterInfo.apy), terms.boosterInfo.coin)}
          </div>
        ) : null}
      </div>
      <Facts facts={factsOf(offer).filter((fact) => fact?.name !== earnText.facts.booster)} />
      <div className={styles.foot}>
        <Button
          component={Link}
          href={`/earn/plans/${plan.planId}`}
          fullWidth
          aria-label={t.action(action, plan.planName)}
        >
          {action}
        </Button>
        {held !== null && isPositive(held) ? (
          <span className="dim figures">{t.held(amountIn(plan.coin, held))}</span>
        ) : null}
      </div>
    </li>
  );
}
