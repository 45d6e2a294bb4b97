// The open plans by type, with filters.
import { Badge, Button, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { PlanType } from '../../src/sdk/index.ts';
import { Empty } from '../components/states.tsx';
import { isPositive } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { type Fact, Facts } from './facts.tsx';
import styles from './offers.module.css';
import {
  type Choice,
  chosen,
  coinsOf,
  type Offer,
  type Order,
  type RateRange,
  rhythmOf,
} from './offers.ts';
import {
  arrivalWord,
  type Compounds,
  compoundsOf,
  interestFact,
  TYPE_OPTIONS,
  termWord,
  typeWord,
} from './words.ts';

const KINDS: readonly { readonly type: PlanType; readonly what: string }[] = [
  {
    type: PlanType.flexible,
    what: 'Add and redeem at any time. The rate can change daily.',
  },
  {
    type: PlanType.fixed,
    what: 'A fixed term. The rate of the first day applies until the end.',
  },
  {
    type: PlanType.customized,
    what: 'You choose the term, which sets the rate until the end.',
  },
];

export interface OffersProps {
  readonly offers: readonly Offer[];
  readonly loggedIn: boolean;
}

export function Offers({ offers, loggedIn }: OffersProps) {
  const asked = new URLSearchParams(useSearch()).get('coin');
  const coins = coinsOf(offers);
  // The wallet links here with a coin; a coin without a plan is ignored.
  const coin = asked !== null && coins.includes(asked) ? asked : null;
  const [choice, setChoice] = useState<Choice>({ coin, type: null, order: 'rate' });
  const shown = chosen(offers, choice);
  return (
    <section className={styles.section} aria-labelledby="plans">
      <div className={styles.head}>
        <h2 id="plans">Plans</h2>
        <Chooser choice={choice} onChange={setChoice} coins={coins} />
      </div>
      {offers.length === 0 ? (
        <Empty title="No open plans">Plans appear here when the exchange opens them.</Empty>
      ) : null}
      {offers.length > 0 && shown.length === 0 ? (
        <Empty
          title="No matching plans"
          action={
            <Button
              variant="default"
              size="xs"
              onClick={() => setChoice({ ...choice, coin: null, type: null })}
            >
              Show all plans
            </Button>
          }
        />
      ) : null}
      {KINDS.map(({ type, what }) => (
        <Kind
          key={type}
          title={typeWord(type)}
          what={what}
          offers={shown.filter(({ plan }) => plan.planType === type)}
          loggedIn={loggedIn}
        />
      ))}
    </section>
  );
}

interface ChooserProps {
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
  readonly coins: readonly string[];
}

function Chooser({ choice, onChange, coins }: ChooserProps) {
  return (
    <div className={styles.chooser}>
      <SegmentedControl
        size="xs"
        aria-label="Plan type"
        value={String(choice.type ?? 'all')}
        onChange={(type) =>
          onChange({ ...choice, type: type === 'all' ? null : (Number(type) as PlanType) })
        }
        data={[{ value: 'all', label: 'All' }, ...TYPE_OPTIONS]}
      />
      <Select
        size="xs"
        w={120}
        aria-label="Coin"
        value={choice.coin ?? ''}
        onChange={(coin) => onChange({ ...choice, coin: coin === '' ? null : coin })}
        data={[{ value: '', label: 'All coins' }, ...coins]}
        allowDeselect={false}
      />
      <Select
        size="xs"
        w={{ base: 200, sm: 160 }}
        aria-label="Order"
        value={choice.order}
        onChange={(order) => onChange({ ...choice, order: (order ?? 'rate') as Order })}
        data={[
          { value: 'rate', label: 'Highest APR first' },
          { value: 'term', label: 'Shortest term first' },
          { value: 'coin', label: 'By coin' },
        ]}
        allowDeselect={false}
      />
    </div>
  );
}

interface KindProps extends OffersProps {
  readonly title: string;
  readonly what: string;
}

function Kind({ title, what, offers, loggedIn }: KindProps) {
  if (offers.length === 0) return null;
  return (
    <div className={styles.kind}>
      <h3>{title}</h3>
      <p className="dim">{what}</p>
      <ul className={styles.grid}>
        {offers.map((offer) => (
          <Card
            key={offer.plan.planId}
            offer={offer}
            loggedIn={loggedIn}
            compounds={compoundsOf(offer)}
          />
        ))}
      </ul>
    </div>
  );
}

/** 4.00%, or 3.00% – 9.00% for a customized plan. */
export function rateWord({ ofShortest, ofLongest }: RateRange): string {
  const [first, last] = [percent(ofShortest), percent(ofLongest)];
  return first === last ? first : `${first} – ${last}`;
}

interface CardProps {
  readonly offer: Offer;
  readonly loggedIn: boolean;
  readonly compounds: Compounds;
}

function Card({ offer, loggedIn, compounds }: CardProps) {
  const { plan, rate, terms } = offer;
  const held = terms?.appliedAmount ?? null;
  const way = loggedIn ? (held === null ? 'Subscribe' : 'Add') : 'View plan';
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
        <span className="dim"> APR</span>
        {terms?.boosterInfo ? (
          <div className={`figures ${styles.boost}`}>
            +{percent(terms.boosterInfo.apy)} with {terms.boosterInfo.coin} as a booster
          </div>
        ) : null}
      </div>
      <Facts facts={factsOf(offer, compounds)} />
      <div className={styles.foot}>
        <Button
          component={Link}
          href={`/earn/plans/${plan.planId}`}
          fullWidth
          aria-label={`${way}: ${plan.planName}`}
        >
          {way}
        </Button>
        {held !== null && isPositive(held) ? (
          <span className="dim figures">
            You have {grouped(held)} {plan.coin} in it
          </span>
        ) : null}
      </div>
    </li>
  );
}

function factsOf(offer: Offer, compounds: Compounds): readonly Fact[] {
  const { plan, terms } = offer;
  const term = plan.planType === PlanType.flexible ? null : { name: 'Term', value: termWord(plan) };
  const rhythm = rhythmOf(offer);
  return [
    ...(term === null ? [] : [term]),
    ...(rhythm === null ? [] : [interestFact(rhythm, compounds)]),
    { name: 'Minimum', value: `${grouped(plan.userAmountMin)} ${plan.coin}` },
    { name: 'Maximum', value: `${grouped(plan.userAmountMax)} ${plan.coin}` },
    {
      name: plan.planType === PlanType.flexible ? 'Redeem' : 'Redeem early',
      value: redeemWord(offer),
    },
    ...(plan.planType === PlanType.flexible
      ? []
      : [{ name: 'Auto renew', value: plan.supportAutoRenew ? 'yes' : 'no' }]),
    ...(terms?.requiresKyc ? [{ name: 'Open to', value: 'verified customers' }] : []),
  ];
}

/** The redeemable part, and the lock time if there is one. */
function redeemWord({ plan, terms }: Offer): string {
  if (plan.planType !== PlanType.flexible && !plan.supportEarlyRedemption) return 'no';
  const part = plan.planType === PlanType.flexible ? 'any amount' : 'whole';
  const wait = terms?.redeemLockHours ?? 0;
  return wait === 0 ? part : `${part}, arrives ${arrivalWord(wait)}`;
}
