// The keyboard shortcuts of the trade page, and the dialog that lists them. Users who dictate or
// press keys by accident can turn them off there.
import { Anchor, Kbd, Modal, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { Side } from '../../src/sdk/index.ts';
import { Dim } from '../components/texts.tsx';
import { shortcutTexts as t } from '../messages/shortcuts.ts';
import { shortcutsOff } from '../session/preferences.ts';
import type { DraftStore } from './form/draft.ts';
import { keyAction, type ShortcutKey } from './shortcut-keys.ts';
import styles from './shortcuts.module.css';

export interface ShortcutsProps {
  readonly store: DraftStore;
  /** Shows a field of the order form and focuses it. */
  readonly onField: (field: 'price' | 'quantity') => void;
  readonly isHelpOpen: boolean;
  readonly onHelp: (isOpen: boolean) => void;
}

export function Shortcuts({ store, onField, isHelpOpen, onHelp }: ShortcutsProps) {
  const isOff = shortcutsOff.use() !== null;
  /** Read out, because the focus does not move to what a key has changed. */
  const [done, setDone] = useState('');
  useShortcuts(
    {
      b: () => store.change({ side: Side.buy }),
      s: () => store.change({ side: Side.sell }),
      l: () => store.change({ kind: 'limit' }),
      m: () => store.change({ kind: 'market' }),
      p: () => onField('price'),
      q: () => onField('quantity'),
      '/': searchPairs,
      '?': () => onHelp(true),
    },
    (action) => setDone(t.effects[action]),
  );
  return (
    <>
      <VisuallyHidden aria-live="polite">{done}</VisuallyHidden>
      <Modal opened={isHelpOpen} onClose={() => onHelp(false)} title={t.title} size="sm">
        <Help isOff={isOff} />
      </Modal>
    </>
  );
}

/** Listens to the keys that have an action here. */
export function useShortcuts(
  actions: Readonly<Partial<Record<ShortcutKey, () => void>>>,
  onDone: (key: ShortcutKey) => void = () => undefined,
): void {
  useWindowEvent('keydown', (event) => {
    const key = keyAction(event, shortcutsOff.get() !== null);
    if (key === 'leave') (event.target as HTMLElement).blur();
    const act = key === null || key === 'leave' ? undefined : actions[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    onDone(key as ShortcutKey);
  });
}

/** Focuses the search of the list of pairs, which narrow screens show after a click. */
function searchPairs(): void {
  const search = document.querySelector<HTMLElement>('[data-pair-search]');
  if (search !== null) search.focus();
  else document.querySelector<HTMLElement>('[data-pair-picker]')?.click();
}

function Help({ isOff }: { readonly isOff: boolean }) {
  const rows = [...Object.entries(t.effects), [t.escape, t.escapes] as const];
  return (
    <>
      <Dim mb="sm">{t.intro}</Dim>
      <table className={styles.keys}>
        <thead>
          <tr>
            <th scope="col">{t.key}</th>
            <th scope="col">{t.effect}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, effect]) => (
            <tr key={key}>
              <td>
                <Kbd>{key}</Kbd>
              </td>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Switch
        mt="md"
        label={t.useKeys}
        checked={!isOff}
        onChange={(event) => shortcutsOff.set(event.currentTarget.checked ? null : 'yes')}
      />
      <Text size="sm" mt="md">
        <Anchor component={Link} href="/settings" c="inherit" underline="always">
          {t.settings}
        </Anchor>
      </Text>
    </>
  );
}
