// A price, trigger or quantity of an open order or of its planned exits, which the user can change
// in the table. Enter saves; Esc cancels, and so does leaving the field.
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { client } from '../../api/clients.ts';
import { Rejection, sentenceOf } from '../../api/rejection.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { TextButton } from '../../components/texts.tsx';
import { compare, type Decimal, fromInput } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { usePairOf } from '../feeds.ts';
import { columnDecimals } from '../figures.ts';
import { Profit } from '../market/position.tsx';
import { assetsOf } from '../pair.ts';
import { amendmentOf, type EditField, exitFieldOf, type OpenRow, resultOf } from './legs.ts';
import styles from './orders.module.css';
import { orderSentence } from './words.ts';

interface EditCellProps {
  readonly order: OpenRow;
  readonly field: EditField;
  /** The shown value. */
  readonly children: ReactNode;
}

/** An order by quote cannot be changed; the quantity of a planned exit is that of its entry. */
function isEditable(order: OpenRow, field: EditField): boolean {
  if (order[field] == null || order.quoteOrderQty !== null) return false;
  return order.planned === undefined || exitFieldOf(order.planned, field) !== null;
}

/** Change the stop trigger of order 12 */
function labelOf({ orderId, planned }: OpenRow, field: EditField): string {
  const exitField = planned === undefined ? null : exitFieldOf(planned, field);
  if (planned === undefined || exitField === null) {
    return t.orders.edit(t.orders.fieldNames[field], orderId);
  }
  return t.orders.edit(t.orders.exitNames[exitField], planned.entry.orderId);
}

export function EditCell({ order, field, children }: EditCellProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!isEditable(order, field)) return children;
  const end = (returnsFocus: boolean) => {
    setEditing(false);
    if (returnsFocus) requestAnimationFrame(() => button.current?.focus());
  };
  if (isEditing) return <Editor order={order} field={field} onEnd={end} />;
  return (
    <UnstyledButton ref={button} className={styles.edit} onClick={() => setEditing(true)}>
      <span>{children}</span>
      <VisuallyHidden>{labelOf(order, field)}</VisuallyHidden>
      <IconPencil size={12} aria-hidden />
    </UnstyledButton>
  );
}

interface EditorProps extends Pick<EditCellProps, 'order' | 'field'> {
  readonly onEnd: (returnsFocus: boolean) => void;
}

function Editor({ order, field, onEnd }: EditorProps) {
  const [typed, setTyped] = useState(order[field] ?? '');
  const frame = useRef<HTMLFieldSetElement>(null);
  const amending = useAction((value: Decimal) => amend(order, field, value), {
    done: (changed) => t.orders.changed(orderSentence(changed)),
    refreshes: [['orders'], ['balances'], ['fills']],
    onDone: () => onEnd(true),
  });
  const save = (text: string) => {
    const value = fromInput(text);
    if (value === null) return;
    if (compare(value, order[field]!) === 0) onEnd(true);
    else amending.run(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd(true);
    if (event.key === 'Enter') save(typed);
    if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault();
  };
  const { error } = amending;
  const nearest = error instanceof Rejection ? error.details.nearest : undefined;
  return (
    <fieldset
      ref={frame}
      className={styles.editor}
      onBlur={({ relatedTarget }) => {
        if (!amending.pending && !frame.current?.contains(relatedTarget)) onEnd(false);
      }}
    >
      <DecimalInput
        size="xs"
        value={typed}
        onChange={(text) => {
          amending.clear();
          setTyped(text);
        }}
        onKeyDown={onKeyDown}
        aria-label={labelOf(order, field)}
        title={t.orders.editHint}
        error={error !== null}
        autoFocus
      />
      <Result order={order} field={field} typed={typed} />
      {error === null ? null : (
        <span className={styles.editFault} role="alert">
          {sentenceOf(error)}{' '}
          {nearest === undefined ? null : (
            <TextButton size="xs" onClick={() => save(nearest)}>
              {t.fault.use(grouped(nearest))}
            </TextButton>
          )}
        </span>
      )}
    </fieldset>
  );
}

interface ResultProps extends Pick<EditCellProps, 'order' | 'field'> {
  readonly typed: string;
}

/** The profit or the loss at a planned exit. */
function Result({ order, field, typed }: ResultProps) {
  const pair = usePairOf(order.symbol);
  const result = resultOf(order, field, typed);
  if (pair === undefined || result === null) return null;
  return (
    <span className={styles.result}>
      <Profit value={result.gain} cost={result.cost} decimals={columnDecimals(pair)} />{' '}
      {assetsOf(order.symbol)[1]}
    </span>
  );
}

/** Returns the order with its new terms. */
async function amend(order: OpenRow, field: EditField, value: Decimal): Promise<OpenRow> {
  await client.amendOrder(amendmentOf(order, field, value));
  return { ...order, [field]: value };
}
