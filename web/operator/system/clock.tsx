// The clock of a sandbox: its time, moves ahead, and what became due.
import { Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ClockState } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { useConfirm } from '../../components/confirm.tsx';
import { type Column, column, DataTable } from '../../components/data-table.tsx';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { When } from '../../components/figures.tsx';
import { Loaded, Panel, RejectionNote } from '../../components/layout.tsx';
import { Dim, Fine, PlainButton } from '../../components/texts.tsx';
import { count, DAY_MS, utcFull } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { CONSOLE, feeds, operator, readSeq } from '../data.ts';
import { duration } from '../overview/health.ts';
import { AsOf } from '../parts/marks.tsx';
import {
  type Due,
  daysClosed,
  dueBetween,
  HOUR_MS,
  parseSpan,
  stepsOf,
  type Unit,
} from './clock-steps.ts';
import styles from './system.module.css';

interface Outcome {
  readonly from: number;
  readonly to: number;
  readonly commands: number;
  readonly due: readonly Due[];
  /** True if the operator stopped it early. */
  readonly stopped: boolean;
}

const PRESETS = [HOUR_MS, DAY_MS, 30 * DAY_MS].map((ms, i) => [text.presets[i]!, ms] as const);

/** To the second, without the zone. */
const utc = (ms: number): string => utcFull(ms).slice(0, 19);

export function ClockPanel() {
  const clock = useLive(feeds.clock);
  return (
    <Panel title={text.sandboxClock} actions={<AsOf live={[clock]} />}>
      <Loaded live={clock}>{(data) => <Mover clock={data} />}</Loaded>
    </Panel>
  );
}

/** Moves the clock step by step, and compares the trial balances before and after. */
function useMove(onStep: (done: number, all: number) => void) {
  const stop = useRef(false);
  const move = async (ms: number): Promise<Outcome> => {
    stop.current = false;
    const [{ now: from }, before, seqBefore] = await Promise.all([
      operator.clock(),
      operator.trialBalance(),
      readSeq(),
    ]);
    const steps = stepsOf(ms);
    let to = from;
    for (const [done, step] of steps.entries()) {
      if (stop.current) break;
      onStep(done, steps.length);
      to = (await operator.advanceClock({ ms: step })).now;
    }
    const [after, seqAfter] = await Promise.all([operator.trialBalance(), readSeq()]);
    const commands = seqAfter - seqBefore;
    return { from, to, commands, due: dueBetween(before, after), stopped: stop.current };
  };
  return { move, stop };
}

function Mover({ clock }: { readonly clock: ClockState }) {
  const [progress, setProgress] = useState<readonly [number, number] | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { move, stop } = useMove((done, all) => setProgress([done, all]));
  const action = useAction(move, { refreshes: [CONSOLE], onDone: setOutcome });
  const start = async (ms: number) => {
    setOutcome(null);
    await action.run(ms);
    setProgress(null);
  };
  // The question closes at the start: the panel has the progress and the button to stop.
  const begin = async (ms: number) => {
    void start(ms);
    return ms;
  };
  const { ask, dialog } = useConfirm({ ...action, run: begin });
  return (
    <Stack gap="lg">
      <Times clock={clock} />
      <Spans disabled={action.pending} onAsk={ask} />
      {progress === null ? null : (
        <Stack gap={6} role="status">
          <Text size="sm">{text.step(progress[0] + 1, progress[1])}</Text>
          <Progress value={(progress[0] / progress[1]) * 100} aria-label={text.progress} />
          <Group>
            <PlainButton
              size="xs"
              onClick={() => {
                stop.current = true;
              }}
            >
              {text.stop}
            </PlainButton>
          </Group>
        </Stack>
      )}
      <RejectionNote error={action.error} />
      {outcome === null ? null : <BecameDue outcome={outcome} />}
      {dialog((ms) => ({
        title: text.moveQuestion,
        consequences: consequencesOf(clock.now, ms),
        confirm: text.moveConfirm,
        danger: true,
      }))}
    </Stack>
  );
}

function consequencesOf(now: number, ms: number): string[] {
  const days = daysClosed(now, ms);
  return [
    text.moves(utc(now), utc(now + ms)),
    days === 0 ? text.noDayEnds : text.daysEnd(days),
    text.termsEnd,
    text.timersFire,
    text.noWayBack,
  ];
}

function Times({ clock: { now, wall, ahead } }: { readonly clock: ClockState }) {
  const seconds = Math.floor(ahead / 1000);
  return (
    <div className={styles.times}>
      <Time name={text.businessClock} at={now} />
      <Time name={text.wallClock} at={wall} />
      <div className={styles.time}>
        <Fine>{text.offset}</Fine>
        <strong className="figures">{seconds === 0 ? text.notMoved : duration(seconds)}</strong>
      </div>
    </div>
  );
}

function Time({ name, at }: { readonly name: string; readonly at: number }) {
  return (
    <div className={styles.time}>
      <Fine>{name}</Fine>
      <strong>
        <When at={at} />
      </strong>
      <Text size="xs" className="dim figures">
        {text.utc(utc(at))}
      </Text>
    </div>
  );
}

interface SpansProps {
  readonly disabled: boolean;
  readonly onAsk: (ms: number) => void;
}

function Spans({ disabled, onAsk }: SpansProps) {
  const [typed, setTyped] = useState('');
  const [unit, setUnit] = useState<Unit>('days');
  const span = parseSpan(typed, unit);
  return (
    <Group align="flex-start" gap="sm">
      {PRESETS.map(([label, ms]) => (
        <PlainButton key={label} disabled={disabled} onClick={() => onAsk(ms)}>
          {label}
        </PlainButton>
      ))}
      <Group gap={6} align="flex-start" wrap="nowrap">
        <DecimalInput
          aria-label={text.howFar}
          placeholder="7"
          w={100}
          value={typed}
          onChange={setTyped}
          error={typed !== '' && 'fault' in span ? span.fault : undefined}
        />
        <NativeSelect
          aria-label={text.unit}
          size="sm"
          data={Object.entries(text.units).map(([value, label]) => ({ value, label }))}
          value={unit}
          onChange={(event) => setUnit(event.currentTarget.value as Unit)}
        />
        <PlainButton
          disabled={disabled || 'fault' in span}
          onClick={() => 'value' in span && onAsk(span.value)}
        >
          {text.move}
        </PlainButton>
      </Group>
    </Group>
  );
}

const dueColumns: readonly Column<Due>[] = [
  column.of(text.asset, ({ asset }) => asset),
  column.of(text.item, ({ item }) => item),
  column.amount(text.change, ({ change }) => ({ value: change, signed: true })),
];

function BecameDue({ outcome }: { readonly outcome: Outcome }) {
  const { from, to, commands, due, stopped } = outcome;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {text.moved(utc(from), utc(to), count(commands), stopped)}
      </Text>
      {due.length === 0 ? (
        <Dim>{text.nothingDue}</Dim>
      ) : (
        <DataTable
          label={text.becameDue}
          rows={due}
          columns={dueColumns}
          keyOf={({ asset, item }) => `${asset} ${item}`}
        />
      )}
    </Stack>
  );
}
