// The clock of a sandbox: where it is, moving it ahead, and what became due on the way.
import { Button, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Amount, When } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loaded, RefusalNote } from '../../components/states.tsx';
import { DAY_MS, grouped, utcFull } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { duration } from '../overview/health.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { type Due, daysClosed, dueBetween, HOUR_MS, spanOf, stepsOf } from './clock-steps.ts';
import styles from './system.module.css';

interface Outcome {
  readonly from: string;
  readonly to: string;
  readonly commands: number;
  readonly due: readonly Due[];
  /** Somebody stopped it on the way. */
  readonly stopped: boolean;
}

const PRESETS = [
  ['+1 hour', HOUR_MS],
  ['+1 day', DAY_MS],
  ['+30 days', 30 * DAY_MS],
] as const;

export function ClockPanel() {
  const clock = useLive(feeds.clock);
  return (
    <Panel title="Clock of the sandbox" actions={<AsOf live={[clock]} />}>
      <Loaded live={clock}>{(data) => <Mover clock={data} />}</Loaded>
    </Panel>
  );
}

/** Moves the clock step by step, and compares the books of before and after. */
function useMove(onStep: (done: number, all: number) => void) {
  const stop = useRef(false);
  const move = async (ms: number): Promise<Outcome> => {
    stop.current = false;
    const [{ now: from }, before, { seq }] = await Promise.all([
      operator.clock(),
      operator.trialBalance(),
      operator.ready(),
    ]);
    const steps = stepsOf(ms);
    let to = from;
    for (const [done, step] of steps.entries()) {
      if (stop.current) break;
      onStep(done, steps.length);
      to = (await operator.advanceClock(step)).now;
    }
    const [after, ready] = await Promise.all([operator.trialBalance(), operator.ready()]);
    const commands = Number(ready.seq) - Number(seq);
    return { from, to, commands, due: dueBetween(before, after), stopped: stop.current };
  };
  return { move, stop };
}

function Mover({ clock }: { readonly clock: operator.Clock }) {
  const [asked, setAsked] = useState<number | null>(null);
  const [progress, setProgress] = useState<readonly [number, number] | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { move, stop } = useMove((done, all) => setProgress([done, all]));
  const action = useAction(move, { refreshes: [keys.all], onDone: setOutcome });
  const start = async (ms: number) => {
    setAsked(null);
    setOutcome(null);
    await action.run(ms);
    setProgress(null);
  };
  return (
    <Stack gap="lg">
      <Times clock={clock} />
      <Spans disabled={action.pending} onAsk={setAsked} />
      {progress === null ? null : (
        <Stack gap={6} role="status">
          <Text size="sm">
            Step {progress[0] + 1} of {progress[1]}: the days are being closed…
          </Text>
          <Progress value={(progress[0] / progress[1]) * 100} aria-label="Way of the clock" />
          <Group>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                stop.current = true;
              }}
            >
              Stop after this step
            </Button>
          </Group>
        </Stack>
      )}
      <RefusalNote error={action.error} />
      {outcome === null ? null : <BecameDue outcome={outcome} />}
      <Confirm
        opened={asked !== null}
        title="Move the clock ahead"
        consequences={asked === null ? [] : consequencesOf(Number(clock.now), asked)}
        confirm="Move the clock"
        danger
        pending={false}
        onConfirm={() => start(asked!)}
        onClose={() => setAsked(null)}
      />
    </Stack>
  );
}

const consequencesOf = (now: number, ms: number): string[] => {
  const days = daysClosed(now, ms);
  const interest =
    days === 0
      ? 'No UTC day ends on the way, so no interest is computed.'
      : `${days === 1 ? 'One UTC day ends' : `${grouped(String(days))} UTC days end`} on the way: the interest of each is computed and paid from the reserves of the plans.`;
  return [
    `Business time goes from ${utcFull(now).slice(0, 19)} to ${utcFull(now + ms).slice(0, 19)} UTC, for everyone.`,
    interest,
    'Terms that end by then end or renew, and redemptions whose lock time is over are credited.',
    'Orders that wait for “cancel all after” are canceled, and remembered idempotency keys older than a day are forgotten.',
    'The clock cannot be moved back.',
  ];
};

function Times({ clock }: { readonly clock: operator.Clock }) {
  const offset = Math.floor(Number(clock.offset) / 1000);
  return (
    <div className={styles.times}>
      <div className={styles.time}>
        <Text size="xs" className="dim">
          Business time: orders and interest
        </Text>
        <strong>
          <When at={clock.now} />
        </strong>
        <Text size="xs" className="dim figures">
          {utcFull(clock.now).slice(0, 19)} UTC
        </Text>
      </div>
      <div className={styles.time}>
        <Text size="xs" className="dim">
          Wall clock: signatures and logins
        </Text>
        <strong>
          <When at={clock.wall} />
        </strong>
        <Text size="xs" className="dim figures">
          {utcFull(clock.wall).slice(0, 19)} UTC
        </Text>
      </div>
      <div className={styles.time}>
        <Text size="xs" className="dim">
          Ahead by
        </Text>
        <strong className="figures">{offset === 0 ? 'not moved' : duration(offset)}</strong>
      </div>
    </div>
  );
}

function Spans(props: { readonly disabled: boolean; readonly onAsk: (ms: number) => void }) {
  const { disabled, onAsk } = props;
  const [typed, setTyped] = useState('');
  const [unit, setUnit] = useState<'hours' | 'days'>('days');
  const span = spanOf(typed, unit);
  return (
    <Group align="flex-start" gap="sm">
      {PRESETS.map(([label, ms]) => (
        <Button key={label} variant="default" disabled={disabled} onClick={() => onAsk(ms)}>
          {label}
        </Button>
      ))}
      <Group gap={6} align="flex-start" wrap="nowrap">
        <DecimalInput
          aria-label="How far"
          placeholder="7"
          w={100}
          value={typed}
          onChange={setTyped}
          error={typed !== '' && 'fault' in span ? span.fault : undefined}
        />
        <NativeSelect
          aria-label="Unit"
          size="sm"
          data={['days', 'hours']}
          value={unit}
          onChange={(event) => setUnit(event.currentTarget.value as 'hours' | 'days')}
        />
        <Button
          variant="default"
          disabled={disabled || 'fault' in span}
          onClick={() => 'value' in span && onAsk(span.value)}
        >
          Move
        </Button>
      </Group>
    </Group>
  );
}

const dueColumns: readonly Column<Due>[] = [
  { title: 'Asset', render: ({ asset }) => asset },
  { title: 'What', render: ({ what }) => what },
  { title: 'Change', align: 'right', render: ({ change }) => <Amount value={change} signed /> },
];

function BecameDue({ outcome }: { readonly outcome: Outcome }) {
  const { from, to, commands, due, stopped } = outcome;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {stopped ? 'Stopped on the way. ' : ''}The clock went from {utcFull(from).slice(0, 19)} to{' '}
        {utcFull(to).slice(0, 19)} UTC; the journal has {grouped(String(commands))} commands more.
      </Text>
      {due.length === 0 ? (
        <Text size="sm" className="dim">
          Nothing of earn became due.
        </Text>
      ) : (
        <DataTable
          label="What became due"
          rows={due}
          columns={dueColumns}
          keyOf={({ asset, what }) => `${asset} ${what}`}
        />
      )}
    </Stack>
  );
}
