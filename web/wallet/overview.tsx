// The estimated total in one asset, and its parts.
import { Select, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { assetColor, OTHERS_COLOR } from '../components/asset-color.ts';
import { Amount } from '../components/figures.tsx';
import { Panel } from '../components/layout.tsx';
import { Dim } from '../components/texts.tsx';
import { grouped } from '../exact/format.ts';
import { walletText } from '../messages/wallet.ts';
import { allocation, type LiveValuation, type Share, shareText, type Valuation } from './value.ts';
import styles from './wallet.module.css';

const t = walletText.value;

export interface OverviewProps {
  readonly valuation: LiveValuation;
  readonly onTarget: (asset: string) => void;
}

export function Overview({ valuation: live, onTarget }: OverviewProps) {
  const { target, targets, decimals } = live;
  const valuation = live.valuation.data;
  return (
    <Panel>
      <div className={styles.overview}>
        <div>
          <Text size="sm" className={`dim ${styles.withIcon}`} component="div">
            {t.title}
            <Tooltip
              label={t.help}
              multiline
              w={280}
              events={{ hover: true, focus: true, touch: true }}
            >
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: for the keyboard */}
              <span tabIndex={0} role="img" aria-label={t.help} className={styles.withIcon}>
                <IconInfoCircle size={15} stroke={1.6} />
              </span>
            </Tooltip>
          </Text>
          {valuation === undefined ? (
            <Skeleton height={34} width={220} mt={6} />
          ) : (
            <div className={`figures ${styles.total}`}>
              ≈ {grouped(valuation.total, decimals)} <span className="dim">{target}</span>
            </div>
          )}
        </div>
        <Select
          label={t.showIn}
          data={targets}
          value={target}
          onChange={(asset) => {
            if (asset !== null) onTarget(asset);
          }}
          allowDeselect={false}
          className={styles.target}
        />
      </div>
      {valuation === undefined ? null : (
        <Allocation valuation={valuation} target={target} decimals={decimals} />
      )}
    </Panel>
  );
}

interface AllocationProps {
  readonly valuation: Valuation;
  readonly target: string;
  readonly decimals: number;
}

function Allocation({ valuation, target, decimals }: AllocationProps) {
  const shares = allocation(valuation);
  return (
    <>
      {shares.length === 0 ? null : (
        <>
          <Bar shares={shares} />
          <ul className={styles.legend}>
            {shares.map(({ asset, value, share }) => (
              <li key={asset ?? 'others'}>
                <span
                  className={styles.swatch}
                  style={{ background: colorOf(asset) }}
                  aria-hidden
                />
                {asset ?? t.others} <span className="figures">{shareText(share)}</span>{' '}
                <span className={`dim ${styles.legendValue}`}>
                  <Amount value={value} decimals={decimals} asset={target} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {valuation.withoutPrice.length === 0 ? null : (
        <Dim mt="sm">{t.withoutPrice(valuation.withoutPrice.join(', '), target)}</Dim>
      )}
    </>
  );
}

const colorOf = (asset: string | null): string =>
  asset === null ? OTHERS_COLOR : assetColor(asset);

/** The list below has the same figures. */
function Bar({ shares }: { readonly shares: readonly Share[] }) {
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  let from = 0;
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${whole} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {shares.map(({ asset, share }) => {
        const x = from;
        from += share;
        return (
          <rect key={asset ?? 'others'} x={x} width={share} height="1" fill={colorOf(asset)} />
        );
      })}
    </svg>
  );
}
