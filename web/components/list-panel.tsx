// A panel with a table: the rows of a feed, what stands there while there are none, and its pages.
import type { ReactNode } from 'react';
import type { Live } from '../live/live.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Panel } from './panel.tsx';
import { Loaded } from './states.tsx';

export interface ListPanelProps<T, R> {
  readonly title?: string;
  /** Names the table for screen readers; the title unless given. */
  readonly label?: string;
  readonly live: Live<T>;
  readonly rows: (data: T) => readonly R[];
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string | number;
  readonly empty?: ReactNode;
  readonly actions?: ReactNode;
  readonly onRow?: (row: R) => void;
  /** Lines to show while the feed loads. */
  readonly loadingRows?: number;
  readonly header?: (data: T) => ReactNode;
  readonly footer?: (data: T) => ReactNode;
}

export function ListPanel<T, R>(props: ListPanelProps<T, R>) {
  const { title, label = title ?? '', live, rows, columns, keyOf, empty, actions, onRow } = props;
  const { loadingRows = 6, header, footer } = props;
  return (
    <Panel title={title} flush actions={actions}>
      <Loaded
        live={live}
        rows={loadingRows}
        empty={empty}
        isEmpty={(data) => rows(data).length === 0}
      >
        {(data) => (
          <>
            {header?.(data)}
            <DataTable
              label={label}
              rows={rows(data)}
              columns={columns}
              keyOf={keyOf}
              {...(onRow === undefined ? {} : { onRow })}
            />
            {footer?.(data)}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
