// The order type: tabs for limit and market, and a menu for the rest.
import { Menu, SegmentedControl, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { Fine } from '../../components/texts.tsx';
import { trade as t } from '../../messages/trade.ts';
import { useOrderForm } from '../context.ts';
import { MORE_KINDS, type OrderKind, TABS } from './kinds.ts';
import styles from './order-form.module.css';

const isTab = (kind: OrderKind): boolean => (TABS as readonly OrderKind[]).includes(kind);

export function KindTabs() {
  const { draft, change } = useOrderForm();
  const { kind } = draft;
  const more = isTab(kind) ? null : kind;
  return (
    <div className={styles.kinds}>
      <SegmentedControl
        size="xs"
        className={styles.kindTabs}
        data={TABS.map((value) => ({ value, label: t.form.kinds[value] }))}
        value={kind}
        onChange={(chosen) => change({ kind: chosen as OrderKind })}
        aria-label={t.form.type}
      />
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <UnstyledButton
            className={styles.more}
            data-active={more !== null || undefined}
            aria-label={
              more === null
                ? t.form.moreKindsLabel
                : `${t.form.kinds[more]}, ${t.form.moreKindsLabel}`
            }
          >
            {more === null ? t.form.moreKinds : t.form.kinds[more]}
            <IconChevronDown size={13} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {MORE_KINDS.map((each) => (
            <Menu.Item
              key={each}
              onClick={() => change({ kind: each })}
              rightSection={each === kind ? <IconCheck size={14} /> : null}
            >
              {t.form.kinds[each]}
              <Fine>{t.form.kindHints[each]}</Fine>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
