// The tables of docs/errors.md, from the tables of rejections and of FIX codes.
import { isLegacy } from '../../src/contract/codes.ts';
import { REJECTIONS, settlesEarlier } from '../../src/contract/rejections.ts';
import { CLOSE_TEXT, CloseReason, ExecType, OrdRejReason, OrdStatus } from '../../src/core/fix.ts';
import { markdownTable } from '../markdown.ts';

/** In order of their codes; the causes of one code in the order of the table. */
const ROWS = Object.values(REJECTIONS).sort((a, b) => a.code - b.code);

function codes(): string {
  const others = ROWS.filter(({ code }) => !isLegacy(code));
  const rows = others.map((line) => [
    line.code,
    line.http,
    `\`${line.name}\``,
    line.msg,
    line.text,
    line.transient ? 'yes' : 'no',
    settlesEarlier(line.codeName) ? 'yes' : 'no',
    line.fix === null ? '–' : line.fix,
    line.ccxt,
  ]);
  return markdownTable(
    ['code', 'HTTP', 'name', 'msg', 'sentence', 'retry', 'settles', 'FIX', 'ccxt'],
    rows,
  );
}

function legacyCodes(): string {
  const legacy = ROWS.filter(({ code }) => isLegacy(code));
  const rows = legacy.map((line) => [
    line.code,
    `\`${line.msg}\``,
    `\`${line.name}\``,
    line.text,
    line.transient ? 'yes' : 'no',
    settlesEarlier(line.codeName) ? 'yes' : 'no',
    line.ccxt,
  ]);
  return markdownTable(['errorCode', 'msg', 'name', 'sentence', 'retry', 'settles', 'ccxt'], rows);
}

function ordStatuses(): string {
  const meaning: Record<keyof typeof OrdStatus, string> = {
    new: 'In the book, nothing filled yet.',
    partiallyFilled: 'In the book, filled in part.',
    filled: 'Filled; closed.',
    canceled: 'Closed before it was filled. `cumQty` may be above 0; `ordCxlText` has the reason.',
    pendingCancel: 'Reserved. Cancels take effect immediately, so no report has it.',
    rejected:
      'Accepted by the call and then rejected by the book, as `ordRejReason` and `ordRejText` say.',
  };
  return codeTable(OrdStatus, meaning);
}

function execTypes(): string {
  const meaning: Record<keyof typeof ExecType, string> = {
    new: 'The order was accepted.',
    partialFill: 'A trade; a quantity is left.',
    fill: 'A trade; nothing is left.',
    canceled: 'The rest was canceled.',
    replaced: 'The order was amended; `orderQty` and `price` are the new ones.',
    pendingCancel: 'Reserved.',
    rejected: 'The order was rejected by the book.',
    triggered: 'The last price reached `stopPx`; the order trades from now on.',
  };
  return codeTable(ExecType, meaning);
}

function codeTable<T extends Readonly<Record<string, number>>>(
  table: T,
  meaning: Readonly<Record<keyof T, string>>,
): string {
  const rows = Object.entries(table).map(([name, n]) => [n, inWords(name), meaning[name]!]);
  return markdownTable(['code', 'name', 'meaning'], rows);
}

function ordRejReasons(): string {
  const rows = Object.entries(OrdRejReason).map(([name, n]) => {
    const causes = ROWS.filter(({ fix }) => fix === n).map((line) => `\`${line.name}\``);
    return [n, inWords(name), causes.length === 0 ? '–' : causes.join(', ')];
  });
  return markdownTable(['code', 'name', 'causes'], rows);
}

const { canceled, rejected } = OrdStatus;

/** The statuses that a reason comes with, unless it is `canceled` alone. */
const STATUSES: { readonly [R in CloseReason]?: readonly OrdStatus[] } = {
  [CloseReason.postOnlyWouldMatch]: [rejected, canceled],
  [CloseReason.exitsBelowMinimum]: [rejected],
  [CloseReason.exitsTooManyOrders]: [rejected],
  [CloseReason.exitsOutsideBand]: [rejected],
  [CloseReason.exitsUnfunded]: [rejected],
  [CloseReason.exitsSuspended]: [rejected],
};

function closeTexts(): string {
  const reasons = Object.values(CloseReason).filter((reason) => reason !== CloseReason.none);
  const rows = reasons.flatMap((reason) =>
    (STATUSES[reason] ?? [canceled]).map((status) => [
      status,
      `\`${status === rejected ? 'ordRejText' : 'ordCxlText'}\``,
      CLOSE_TEXT[reason],
    ]),
  );
  return markdownTable(['ordStatus', 'field', 'text'], rows);
}

/** partiallyFilled → partially filled */
const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** By the names of the markers in docs/errors.md. */
export const errorTables: Readonly<Record<string, () => string>> = {
  codes,
  'legacy errors': legacyCodes,
  ordStatus: ordStatuses,
  execType: execTypes,
  ordRejReason: ordRejReasons,
  'texts of closed orders': closeTexts,
};
