// The drawings of a pair on its chart: placing one with the tool that is chosen, selecting, moving
// its points, and removing it.
import { ActionIcon } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Candle } from '../../../../src/sdk/index.ts';
import { chart as t } from '../../../messages/chart.ts';
import { usePair } from '../../context.ts';
import styles from '../chart.module.css';
import { drawingsOf } from '../chart-settings.ts';
import type { ChartView } from '../chart-view.ts';
import { colorsOfPage, useRecolor } from '../colors.ts';
import type { Place } from '../layer.ts';
import { DrawingLayer } from './drawing-layer.ts';
import {
  type Drawing,
  type DrawingKind,
  drawingsText,
  KINDS,
  MAX_DRAWINGS,
  type Point,
  parseDrawings,
} from './drawings.ts';

interface DrawingsProps {
  readonly chart: ChartView;
  readonly candles: readonly Candle[];
  readonly stepMs: number;
  /** The kind that the next points make; null for none. */
  readonly tool: DrawingKind | null;
  readonly onTool: (tool: DrawingKind | null) => void;
}

export default function Drawings({ chart, candles, stepMs, tool, onTool }: DrawingsProps) {
  const editor = useEditor(tool, onTool);
  const { shown, marked, selected } = editor;
  const handles = useRef<(HTMLElement | null)[]>([]);
  const layer = useLayer(chart, {
    onSelect: editor.select,
    onLayout: (places) => placeHandles(handles.current, places),
  });
  const times = useMemo(() => candles.map(({ openTime }) => openTime), [candles]);
  useEffect(() => {
    layer.set({ drawings: shown, selected: marked, axis: { times, stepMs } });
  }, [layer, shown, marked, times, stepMs]);
  useRecolor(() => layer.set({ colors: colorsOfPage() }));
  useKeys({
    Escape: tool === null ? undefined : editor.stop,
    Delete: selected === undefined ? undefined : editor.remove,
  });
  const pointOf = (event: PointerEvent): Point | null => {
    const { left, top } = chart.element.getBoundingClientRect();
    return layer.pointAt({ x: event.clientX - left, y: event.clientY - top });
  };
  return (
    <>
      {tool === null ? null : <Cover {...{ tool, editor, pointOf }} />}
      {selected === undefined ? null : (
        <Handles drawing={selected} elements={handles.current} {...{ editor, pointOf }} />
      )}
    </>
  );
}

/** A handle without a place is out of the prices. */
function placeHandles(elements: readonly (HTMLElement | null)[], places: readonly Place[]): void {
  for (const [i, element] of elements.entries()) {
    const place = places[i];
    if (element === null) continue;
    element.hidden = place === undefined;
    if (place !== undefined) element.style.translate = `${place.x}px ${place.y}px`;
  }
}

type Editor = ReturnType<typeof useEditor>;

/** The drawings of the pair, with the one that is being placed or moved. */
function useEditor(tool: DrawingKind | null, onTool: DrawingsProps['onTool']) {
  const setting = drawingsOf(usePair().symbol);
  const text = setting.use() ?? '';
  const kept = useMemo(() => parseDrawings(text), [text]);
  const [chosen, select] = useState<number | null>(null);
  const [draft, setDraft] = useState<Drawing | null>(null);
  const at = chosen !== null && chosen < kept.length ? chosen : null;
  const shown = useMemo(
    () => (draft === null ? kept : at === null ? [...kept, draft] : kept.with(at, draft)),
    [kept, draft, at],
  );
  const save = (next: readonly Drawing[]) =>
    setting.set(next.length === 0 ? null : drawingsText(next));
  const stop = () => {
    setDraft(null);
    onTool(null);
  };
  return {
    shown,
    /** The index that shows its handles. */
    marked: at ?? (draft === null ? null : kept.length),
    selected: at === null ? undefined : kept[at],
    isPlacing: draft !== null,
    select,
    stop,
    /** Takes the next point of the tool. */
    place(point: Point): void {
      if (tool === null) return;
      if (draft === null && KINDS[tool] > 1) {
        select(null);
        setDraft({ kind: tool, points: [point, point] });
        return;
      }
      save([...kept, { kind: tool, points: draft === null ? [point] : [draft.points[0]!, point] }]);
      select(Math.min(kept.length, MAX_DRAWINGS - 1));
      stop();
    },
    move(i: number, point: Point): void {
      const drawing = draft ?? kept[at!]!;
      setDraft({ ...drawing, points: drawing.points.with(i, point) });
    },
    drop(): void {
      if (draft !== null && at !== null) save(kept.with(at, draft));
      setDraft(null);
    },
    remove(): void {
      if (at !== null) save(kept.toSpliced(at, 1));
      select(null);
    },
  };
}

interface PartProps {
  readonly editor: Editor;
  readonly pointOf: (event: PointerEvent) => Point | null;
}

/** Takes the points of a tool, so that the chart below does not move. */
function Cover({ tool, editor, pointOf }: PartProps & { readonly tool: DrawingKind }) {
  return (
    <div
      className={styles.cover}
      onPointerDown={(event) => {
        const point = pointOf(event);
        if (point !== null) editor.place(point);
      }}
      onPointerMove={(event) => {
        const point = editor.isPlacing ? pointOf(event) : null;
        if (point !== null) editor.move(1, point);
      }}
    >
      <p className={styles.drawHint} role="status">
        {t.drawHint(KINDS[tool])}
      </p>
    </div>
  );
}

interface HandlesProps extends PartProps {
  readonly drawing: Drawing;
  /** Receives the elements, which the layer places. */
  readonly elements: (HTMLElement | null)[];
}

function Handles({ drawing: { kind, points }, elements, editor, pointOf }: HandlesProps) {
  const name = t.removeDrawing(t.tools[kind]);
  return (
    <div className={styles.handles}>
      {points.map((_, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a point
          key={i}
          ref={(element) => {
            elements[i] = element;
          }}
          className={styles.handle}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            const isHeld = event.currentTarget.hasPointerCapture(event.pointerId);
            const point = isHeld ? pointOf(event) : null;
            if (point !== null) editor.move(i, point);
          }}
          onPointerUp={editor.drop}
        />
      ))}
      <ActionIcon
        variant="default"
        size="sm"
        className={styles.removeDrawing}
        onClick={editor.remove}
        aria-label={name}
        title={name}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </div>
  );
}

/** The layer while this is shown; its callbacks may change. */
function useLayer(
  chart: ChartView,
  callbacks: Pick<ConstructorParameters<typeof DrawingLayer>[1], 'onSelect' | 'onLayout'>,
): DrawingLayer {
  const current = useRef(callbacks);
  current.current = callbacks;
  const layer = useMemo(() => {
    const nothing = { drawings: [], selected: null, axis: { times: [], stepMs: 1 } };
    return new DrawingLayer(
      { ...nothing, colors: colorsOfPage() },
      {
        format: chart.format,
        onSelect: (at) => current.current.onSelect(at),
        onLayout: (places) => current.current.onLayout(places),
      },
    );
  }, [chart]);
  useEffect(() => chart.attach(layer), [chart, layer]);
  return layer;
}

/** Keys outside of fields; in the capture phase, so that the full screen stays. */
function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const press = (event: KeyboardEvent) => {
    const act = actions[event.key];
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
    if (act === undefined || isTyping || event.defaultPrevented) return;
    event.preventDefault();
    act();
  };
  useWindowEvent('keydown', press, { capture: true });
}
