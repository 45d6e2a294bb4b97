// The keyboard shortcuts of the trade page, and the dialog that lists them. Users who dictate or
// press keys by accident can turn them off there.
import { Kbd, Modal, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Side } from '../../src/sdk/generated/codes.ts';
import { shortcutTexts as t } from '../messages/shortcuts.ts';
import { stored } from '../session/stored.ts';
import type { DraftStore } from './form/draft.ts';
import { keyAction, type ShortcutKey } from './shortcut-keys.ts';
import styles from './shortcuts.module.css';

/** Set while the user has turned the keys off. */
const turnedOff = stored(localStorage, 'agio.shortcutsOff');

export interface ShortcutsProps {
  readonly store: DraftStore;
  /** Shows a field of the order form and focuses it. */
  readonly onField: (field: 'price' | 'quantity') => void;
  readonly isHelpOpen: boolean;
  readonly onHelp: (isOpen: boolean) => void;
}

export function Shortcuts({ store, onField, isHelpOpen, onHelp }: ShortcutsProps) {
  const isOff = turnedOff.use() !== null;
  /** Read out, because the focus does not move to what a key has changed. */
  const [done, setDone] = useState('');
  useEffect(() => {
    const actions: Readonly<Record<ShortcutKey, () => void>> = {
      b: () => store.change({ side: Side.buy }),
      s: () => store.change({ side: Side.sell }),
      l: () => store.change({ kind: 'limit' }),
      m: () => store.change({ kind: 'market' }),
      p: () => onField('price'),
      q: () => onField('quantity'),
      '/': searchPairs,
      '?': () => onHelp(true),
    };
    const press = (event: KeyboardEvent) => {
      const action = keyAction(event, isOff);
      if (action === null) return;
      if (action === 'leave') {
        (event.target as HTMLElement).blur();
        return;
      }
      event.preventDefault();
      actions[action]();
      setDone(t.effects[action]);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, onField, onHelp, isOff]);
  return (
    <>
      <VisuallyHidden aria-live="polite">{done}</VisuallyHidden>
      <Modal opened={isHelpOpen} onClose={() => onHelp(false)} title={t.title} size="sm">
        <Help isOff={isOff} />
      </Modal>
    </>
  );
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
      <Text size="sm" className="dim" mb="sm">
        {t.intro}
      </Text>
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
        onChange={(event) => turnedOff.set(event.currentTarget.checked ? null : 'yes')}
      />
    </>
  );
}
