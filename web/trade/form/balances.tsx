// The two assets of the pair in the account, and the way to more.
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { isPositive } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { isSandbox, useSession } from '../../session/session.ts';
import type { Pair } from '../pair.ts';
import styles from './order-form.module.css';

export function Balances({ pair }: { readonly pair: Pair }) {
  const { state } = useSession();
  const { data } = useLive(state === 'loggedIn' ? feeds.balances : null);
  return (
    <section className={styles.balances} aria-label="Balances and rules of this pair">
      {data === undefined ? null : (
        <>
          <h3 className={styles.subtitle}>
            Balances
            <Anchor component={Link} href="/wallet" size="xs">
              {isSandbox ? 'Wallet and play money' : 'Wallet'}
            </Anchor>
          </h3>
          {[pair.base, pair.quote].map((name) => {
            const { available = '0', held = '0' } = data.find(({ asset }) => asset === name) ?? {};
            return (
              <div key={name}>
                <Line name={name} value={grouped(available)} />
                {isPositive(held) ? (
                  <Line name={`${name} in open orders`} value={grouped(held)} />
                ) : null}
              </div>
            );
          })}
        </>
      )}
      <h3 className={styles.subtitle}>Rules of this pair</h3>
      <Line name="Price step" value={`${pair.tick} ${pair.quote}`} />
      <Line name="Quantity step" value={`${pair.lot} ${pair.base}`} />
      <Line name="Minimum quantity" value={`${pair.minQuantity} ${pair.base}`} />
      <Line name="Minimum total" value={`${pair.minTotal} ${pair.quote}`} />
    </section>
  );
}

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className={styles.line}>
      <span className="dim">{name}</span>
      <span className="figures">{value}</span>
    </div>
  );
}
