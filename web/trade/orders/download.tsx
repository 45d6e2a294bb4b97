// The button that saves the shown orders or fills as a file.
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { sentenceOf } from '../../api/rejection.ts';
import { useAction } from '../../components/action.ts';
import { saveFile } from '../../components/copy-text.tsx';
import { PlainButton } from '../../components/texts.tsx';
import { utcDay } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { fillsCsv, ordersCsv } from './csv.ts';
import { fillsQuery, type HistoryFilter, readFills, readHistory } from './history-page.ts';
import type { HistoryWindow } from './history-window.ts';

interface DownloadProps {
  readonly name: 'orders' | 'fills';
  /** The text of the file, and whether it is cut. */
  readonly read: () => Promise<{ readonly csv: string; readonly isCut: boolean }>;
}

function Download({ name, read }: DownloadProps) {
  const download = useAction(async () => {
    try {
      const { csv, isCut } = await read();
      saveFile(`${name}-${utcDay(Date.now())}.csv`, 'text/csv', csv);
      if (isCut) notifications.show({ message: t.orders.fileIsCut, color: 'yellow' });
    } catch (error) {
      notifications.show({ message: sentenceOf(error), color: 'red' });
      throw error;
    }
  });
  return (
    <PlainButton
      size="compact-xs"
      leftSection={<IconDownload size={13} />}
      onClick={() => download.run()}
      loading={download.pending}
    >
      {t.orders.downloadCsv}
    </PlainButton>
  );
}

export const OrdersDownload = ({ filter }: { readonly filter: HistoryFilter }) => (
  <Download
    name="orders"
    read={async () => {
      const { orders, fills, isCut } = await readHistory(filter);
      return { csv: ordersCsv(orders, fills), isCut };
    }}
  />
);

interface FillsDownloadProps {
  readonly symbol: string | null;
  readonly window: HistoryWindow;
}

export const FillsDownload = ({ symbol, window }: FillsDownloadProps) => (
  <Download
    name="fills"
    read={async () => {
      const query = await fillsQuery(symbol, window);
      const { fills, isCut } =
        query === null ? { fills: [], isCut: false } : await readFills(query);
      return { csv: fillsCsv(fills.toReversed()), isCut };
    }}
  />
);
