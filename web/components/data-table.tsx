// A table of rows, alone or in a panel that shows the states of a feed. Narrow screens leave out
// the less important columns and scroll to the rest.
import { ActionIcon, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useCallback, useState } from 'react';
import type { Page } from '../../src/sdk/index.ts';
import type { Decimal } from '../exact/decimal.ts';
import { type Feed, type Live, useLive } from '../live/live.ts';
import styles from './data-table.module.css';
import { Amount, type AmountProps, AssetAmount, type AssetAmountProps, Rate } from './figures.tsx';
import { Loaded, Panel } from './layout.tsx';
import { Pages } from './paging.tsx';

/** The narrowest screen that has a column. */
export type Width = 'sm' | 'md' | 'lg' | 'xl' | undefined;

export interface Column<T> {
  readonly title: string;
  readonly render: (row: T) => ReactNode;
  readonly align?: 'left' | 'right';
  /** Screens narrower than this leave it out. */
  readonly from?: Width;
  /** Stays in view at the right while the table scrolls sideways. */
  readonly pinned?: boolean;
}

const of = <T,>(title: string, render: (row: T) => ReactNode, from?: Width): Column<T> => {
  return { title, render, from };
};

const figure = <T,>(...terms: Parameters<typeof of<T>>): Column<T> => ({
  ...of(...terms),
  align: 'right',
});

/** Columns by what they show. */
export const column = {
  /** A text, or what a row makes of it. */
  of,
  /** Figures or buttons at the right. */
  figure,
  amount: <T,>(title: string, amountOf: (row: T) => AmountProps, from?: Width) =>
    figure<T>(title, (row) => <Amount {...amountOf(row)} />, from),
  /** Amounts with the decimals of their assets. */
  asset: <T,>(title: string, amountOf: (row: T) => AssetAmountProps, from?: Width) =>
    figure<T>(title, (row) => <AssetAmount {...amountOf(row)} />, from),
  /** Rates as percentages. */
  rate: <T,>(title: string, rateOf: (row: T) => Decimal | null, from?: Width) =>
    figure<T>(title, (row) => <Rate rate={rateOf(row)} />, from),
} as const;

export interface DataTableProps<T> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string | number;
  readonly onRow?: (row: T) => void;
  readonly detail?: Detail<T> | undefined;
}

/** More about a row, which a button opens below it. */
export interface Detail<T> {
  /** The name of the button. */
  readonly label: (row: T) => string;
  readonly render: (row: T) => ReactNode;
}

export function DataTable<T>({ label, rows, columns, keyOf, onRow, detail }: DataTableProps<T>) {
  const { ref, scrolls } = useScrolls();
  const { isOpen, toggle } = useOpenRows();
  return (
    <div
      ref={ref}
      className={styles.scroll}
      // Only a table that scrolls is a stop for the keyboard.
      {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
    >
      <Table highlightOnHover={onRow !== undefined} aria-label={label} className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {detail === undefined ? null : <Table.Td className={styles.toggle} />}
            {columns.map((column) => (
              <Table.Th
                key={column.title}
                visibleFrom={column.from}
                ta={column.align ?? 'left'}
                className={column.pinned ? styles.pinned : undefined}
              >
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <Table.Tr
                className={onRow === undefined ? undefined : styles.clickable}
                onClick={onRow === undefined ? undefined : () => onRow(row)}
              >
                {detail === undefined ? null : (
                  <Table.Td className={styles.toggle}>
                    <ToggleButton
                      label={detail.label(row)}
                      isOpen={isOpen(keyOf(row))}
                      onToggle={() => toggle(keyOf(row))}
                    />
                  </Table.Td>
                )}
                {columns.map((column) => (
                  <Table.Td
                    key={column.title}
                    visibleFrom={column.from}
                    ta={column.align ?? 'left'}
                    className={column.pinned ? styles.pinned : undefined}
                  >
                    {column.render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
              {detail === undefined || !isOpen(keyOf(row)) ? null : (
                <Table.Tr>
                  <Table.Td colSpan={columns.length + 1} className={styles.detail}>
                    {detail.render(row)}
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type RowKey = string | number;

/** The rows whose detail is open. */
export function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<RowKey>>(new Set());
  return {
    isOpen: (key: RowKey) => open.has(key),
    toggle: (key: RowKey) => setOpen(open.symmetricDifference(new Set([key]))),
  };
}

interface ToggleButtonProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export const ToggleButton = ({ label, isOpen, onToggle }: ToggleButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="xs"
    onClick={onToggle}
    aria-expanded={isOpen}
    aria-label={label}
  >
    {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
  </ActionIcon>
);

/** True if the content of an element is wider than the element. */
function useScrolls() {
  const [scrolls, setScrolls] = useState(false);
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return;
    const look = () => setScrolls(element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, scrolls };
}

interface ListPanelProps<T, R> {
  readonly title?: string;
  /** Names the table for screen readers; the title unless given. */
  readonly label?: string;
  readonly live: Live<T>;
  /** The rows in the data; without it, the data is the list of rows, or has them as `items`. */
  readonly rows?: (data: T) => readonly R[];
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
  const { title, label = title ?? '', live, columns, keyOf, empty, actions, onRow } = props;
  const { rows = listOf<R> } = props;
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

/** The rows of an answer of the server. */
const listOf = <R,>(data: unknown): readonly R[] =>
  Array.isArray(data) ? data : (data as { readonly items: readonly R[] }).items;

interface PagedPanelProps<R> extends Omit<ListPanelProps<Page<R>, R>, 'live' | 'rows'> {
  readonly feed: (page: number) => Feed<Page<R>>;
  /** Another filter begins at its first page. */
  readonly filter?: string;
  /** Shows the number of rows. */
  readonly counts?: boolean;
}

/** A panel with a list that the server sends in numbered pages. */
export function PagedPanel<R>({ feed, filter = '', counts = false, ...panel }: PagedPanelProps<R>) {
  const [turned, setTurned] = useState({ filter, page: 1 });
  const page = turned.filter === filter ? turned.page : 1;
  return (
    <ListPanel
      {...panel}
      live={useLive(feed(page))}
      footer={({ totalPage, totalNum }) => (
        <Pages
          page={page}
          total={totalPage}
          {...(counts ? { count: totalNum } : {})}
          onChange={(next) => setTurned({ filter, page: next })}
        />
      )}
    />
  );
}
