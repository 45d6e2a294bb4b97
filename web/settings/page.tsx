// The settings of the pages: confirmations, shortcuts, sounds, colors and the time zone.
import {
  type MantineColorScheme,
  NativeSelect,
  SegmentedControl,
  Switch,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { PageFrame, Panel } from '../components/layout.tsx';
import { Fine, TextButton } from '../components/texts.tsx';
import { dateTime } from '../exact/format.ts';
import { ZONE, ZONE_KEY } from '../exact/zone.ts';
import { settings as t } from '../messages/settings.ts';
import { CONFIRMATIONS, confirmations, shortcutsOff, sounds } from '../session/preferences.ts';
import { stored } from '../session/stored.ts';
import { playSound } from '../shell/sound.ts';
import styles from './settings.module.css';

export default function SettingsPage() {
  return (
    <PageFrame title={t.title} lead={t.lead} width="narrow">
      <Panel title={t.trading}>
        <Confirmations />
        <Setting>
          <Switch
            label={t.shortcuts}
            checked={shortcutsOff.use() === null}
            onChange={(event) => shortcutsOff.set(event.currentTarget.checked ? null : 'yes')}
          />
        </Setting>
        <Setting>
          <Switch
            label={t.sounds}
            checked={sounds.use() === 'on'}
            onChange={(event) => sounds.set(event.currentTarget.checked ? 'on' : 'off')}
          />
          <TextButton size="sm" onClick={playSound}>
            {t.playSound}
          </TextButton>
        </Setting>
      </Panel>
      <Panel title={t.display}>
        <Colors />
        <Zone />
      </Panel>
    </PageFrame>
  );
}

interface SettingProps {
  readonly label?: string;
  readonly labelId?: string;
  readonly why?: string | undefined;
  readonly children: ReactNode;
}

const Setting = ({ label, labelId, why, children }: SettingProps) => (
  <div className={styles.setting}>
    {label === undefined ? null : (
      <Text size="sm" fw={500} id={labelId}>
        {label}
      </Text>
    )}
    <div className={styles.control}>{children}</div>
    {why === undefined ? null : <Fine>{why}</Fine>}
  </div>
);

function Confirmations() {
  const labelId = useId();
  const chosen = confirmations.use();
  return (
    <Setting
      label={t.confirm}
      labelId={labelId}
      why={chosen === 'never' ? t.neverWhy : t.confirmWhy}
    >
      <SegmentedControl
        aria-labelledby={labelId}
        data={CONFIRMATIONS.map((value) => ({ value, label: t.confirmations[value] }))}
        value={chosen}
        onChange={confirmations.set}
      />
    </Setting>
  );
}

function Colors() {
  const labelId = useId();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Setting label={t.colors} labelId={labelId}>
      <SegmentedControl<MantineColorScheme>
        aria-labelledby={labelId}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({
          value,
          label: t.schemes[value],
        }))}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </Setting>
  );
}

const zone = stored(localStorage, ZONE_KEY);
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

function Zone() {
  const change = (chosen: string) => {
    zone.set(chosen === '' ? null : chosen);
    // Every page reads its zone when it loads.
    location.reload();
  };
  return (
    <Setting why={t.zoneWhy}>
      <NativeSelect
        label={t.zone}
        description={`${t.now(dateTime(Date.now()))} · ${ZONE}`}
        data={[{ value: '', label: t.browserZone }, ...ZONES]}
        value={zone.use() ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </Setting>
  );
}
