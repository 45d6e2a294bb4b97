// The toolbar of the chart: view, interval, style and scale, indicators, and full screen.
import { ActionIcon, Button, Menu, NativeSelect, Popover, SegmentedControl } from '@mantine/core';
import {
  IconAlignJustified,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChartArea,
  IconChartCandle,
  IconChartHistogram,
  IconChartLine,
  IconLine,
  IconMathFunction,
  IconMinus,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/layout.tsx';
import { chart as t } from '../../messages/chart.ts';
import { pageCode } from '../../shell/page-code.ts';
import { usePair } from '../context.ts';
import styles from './chart.module.css';
import { INTERVALS } from './chart-data.ts';
import {
  type ChartViewName,
  drawingsOf,
  indicatorsSetting,
  intervalSetting,
  STYLES,
  scaleSetting,
  styleSetting,
  VIEWS,
  viewSetting,
} from './chart-settings.ts';
import { DRAWING_KINDS } from './drawings/drawings.ts';
import { parseIndicators } from './indicators/indicators.ts';
import type { DrawingTool } from './price-chart.tsx';

const IndicatorMenu = lazy(pageCode(() => import('./indicators/indicator-menu.tsx')));

interface ToolbarProps {
  readonly view: ChartViewName;
  /** True if price and depth fit side by side. */
  readonly hasBoth: boolean;
  readonly isFull: boolean;
  readonly onFull: (full: boolean) => void;
  readonly drawing: DrawingTool;
}

export function Toolbar({ view, hasBoth, isFull, onFull, drawing }: ToolbarProps) {
  const full = isFull ? t.leaveFullScreen : t.fullScreen;
  const views = VIEWS.filter((name) => hasBoth || name !== 'both').map((value) => ({
    value,
    label: t.views[value],
  }));
  return (
    <header className={styles.toolbar}>
      <SegmentedControl
        size="xs"
        className={styles.viewTabs}
        data={views}
        value={view}
        onChange={viewSetting.set}
        aria-label={t.view}
      />
      <NativeSelect
        size="xs"
        className={styles.viewList}
        data={views}
        value={view}
        onChange={(event) => viewSetting.set(event.currentTarget.value as ChartViewName)}
        aria-label={t.view}
      />
      {view === 'depth' ? null : <PriceTools drawing={drawing} />}
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.full}
        aria-label={full}
        title={full}
        onClick={() => onFull(!isFull)}
      >
        {isFull ? <IconArrowsMinimize size={16} /> : <IconArrowsMaximize size={16} />}
      </ActionIcon>
    </header>
  );
}

function PriceTools({ drawing }: Pick<ToolbarProps, 'drawing'>) {
  return (
    <>
      <Intervals />
      <StyleMenu />
      <Indicators />
      <DrawMenu {...drawing} />
    </>
  );
}

/** In a row where there is room, else a list. */
function Intervals() {
  const interval = intervalSetting.use();
  const change = (value: string) =>
    intervalSetting.set(INTERVALS.find((known) => known === value) ?? interval);
  return (
    <>
      <SegmentedControl
        size="xs"
        className={styles.intervals}
        data={INTERVALS.map((value) => ({ value, label: value }))}
        value={interval}
        onChange={change}
        aria-label={t.interval}
      />
      <NativeSelect
        size="xs"
        className={styles.intervalList}
        data={INTERVALS}
        value={interval}
        onChange={(event) => change(event.currentTarget.value)}
        aria-label={t.interval}
      />
    </>
  );
}

const STYLE_ICONS = {
  candles: IconChartCandle,
  bars: IconChartHistogram,
  line: IconChartLine,
  area: IconChartArea,
} as const;

function StyleMenu() {
  const style = styleSetting.use();
  const scale = scaleSetting.use();
  const Current = STYLE_ICONS[style];
  return (
    <Menu position="bottom-end" width={190} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.styleAndScale}
          title={t.styleAndScale}
        >
          <Current size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.style}</Menu.Label>
        <Menu.RadioGroup
          value={style}
          onChange={(value) => styleSetting.set(STYLES.find((name) => name === value) ?? style)}
        >
          {STYLES.map((name) => (
            <Menu.RadioItem key={name} value={name}>
              {t.styles[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={scale === 'logarithmic'}
          onChange={(isOn) => scaleSetting.set(isOn ? 'logarithmic' : 'linear')}
        >
          {t.logarithmic}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}

const TOOL_ICONS = {
  trend: IconLine,
  horizontal: IconMinus,
  fibonacci: IconAlignJustified,
} as const;

function DrawMenu({ tool, onTool }: DrawingTool) {
  const drawings = drawingsOf(usePair().symbol);
  const hasSome = drawings.use() !== null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          variant={tool === null ? 'subtle' : 'light'}
          color={tool === null ? 'gray' : 'brand'}
          aria-label={t.draw}
          title={t.draw}
        >
          <IconPencil size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {DRAWING_KINDS.map((kind) => {
          const Icon = TOOL_ICONS[kind];
          return (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={15} stroke={1.6} />}
              onClick={() => onTool(kind)}
            >
              {t.tools[kind]}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash size={15} stroke={1.6} />}
          disabled={!hasSome}
          onClick={() => drawings.set(null)}
        >
          {t.removeDrawings}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Indicators() {
  const count = parseIndicators(indicatorsSetting.use() ?? '').length;
  return (
    <Popover position="bottom-end" width={364} trapFocus shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          className={styles.indicators}
          leftSection={<IconMathFunction size={16} stroke={1.6} aria-hidden />}
          aria-label={t.indicatorsCount(count)}
          title={t.indicators}
        >
          <span className={styles.wide}>{t.indicators}</span>{' '}
          {count === 0 ? null : <span className={styles.count}>{count}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <Suspense fallback={<Loading rows={3} />}>
          <IndicatorMenu />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
