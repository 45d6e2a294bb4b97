// Test money of a sandbox: draws one asset, or all that are available today.
import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { client, userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { RejectionNote } from '../components/layout.tsx';
import { TextButton } from '../components/texts.tsx';
import type { Decimal } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { walletText } from '../messages/wallet.ts';
import { useSession } from '../session/session.ts';
import { stored } from '../session/stored.ts';
import { isDrawn, parseDraws, withDraw } from './draws.ts';

const t = walletText.funding;

export interface Drawn {
  readonly asset: string;
  readonly amount: Decimal;
}

/** Draws one asset; `note` receives it if it was drawn now or earlier today. */
export async function draw(asset: string, note: (asset: string) => void): Promise<Drawn> {
  try {
    const drawn = await userCenter.faucet({ asset });
    note(asset);
    return drawn;
  } catch (error) {
    if (hasCode(error, Code.faucetUsed)) note(asset);
    throw error;
  }
}

/** Draws every asset that was not drawn today; throws on any other rejection. */
async function drawAll(note: (asset: string) => void): Promise<readonly Drawn[]> {
  const drawn: Drawn[] = [];
  for (const { asset } of await client.assets()) {
    try {
      drawn.push(await draw(asset, note));
    } catch (error) {
      if (!hasCode(error, Code.faucetUsed)) throw error;
    }
  }
  return drawn;
}

/** The drawn amounts: 10,000 USDT, 1 BTC. */
export const drawnText = (drawn: readonly Drawn[]): string =>
  drawn.length === 0
    ? t.noneLeft
    : t.received(drawn.map(({ asset, amount }) => `${grouped(amount)} ${asset}`).join(', '));

/** The assets that cannot be drawn again today, for every button that could draw them. */
export interface DrawnToday {
  readonly has: (asset: string) => boolean;
  readonly note: (asset: string) => void;
}

export function useDrawnToday(): DrawnToday {
  const now = useLive(feeds.serverTime).data?.businessTime ?? null;
  const uid = useSession().me?.uid ?? 0;
  const place = useMemo(() => stored(localStorage, `agio.testMoney.${uid}`), [uid]);
  const text = place.use();
  const draws = useMemo(() => parseDraws(text), [text]);
  return {
    has: (asset) => isDrawn(draws, asset, now),
    note: (asset) => place.set(JSON.stringify([...withDraw(parseDraws(place.get()), asset, now)])),
  };
}

/** Draws one asset where it is missing; nothing while there is none to get. */
export function TestMoney({ asset }: { readonly asset: string }) {
  const today = useDrawnToday();
  const drawing = useAction(() => draw(asset, today.note), {
    done: (drawn) => drawnText([drawn]),
    refreshes: [['balances'], ['statement']],
  });
  if (today.has(asset)) return null;
  return (
    <>
      <TextButton size="xs" onClick={() => drawing.run()} aria-busy={drawing.pending}>
        {t.get}
      </TextButton>
      <RejectionNote error={drawing.error} />
    </>
  );
}

export interface FaucetAllProps {
  /** Receives each asset that cannot be drawn again today. */
  readonly onDrawn?: (asset: string) => void;
}

/** A button that draws every asset, while there is one to draw. */
export function FaucetAll({ onDrawn = () => undefined }: FaucetAllProps) {
  const [text, setText] = useState<string | null>(null);
  const today = useDrawnToday();
  const { data: assets } = useLive(feeds.assets);
  const note = (asset: string) => {
    today.note(asset);
    onDrawn(asset);
  };
  const isAnyLeft = assets === undefined || assets.some(({ asset }) => !today.has(asset));
  const drawing = useAction(() => drawAll(note), {
    refreshes: [['balances'], ['statement']],
    onDone: (drawn) => setText(drawnText(drawn)),
  });
  return (
    <div>
      {text === null && (isAnyLeft || drawing.pending) ? (
        <Button size="xs" variant="light" onClick={() => drawing.run()} loading={drawing.pending}>
          {t.get}
        </Button>
      ) : null}
      <Text size="sm" aria-live="polite">
        {text}
      </Text>
      <RejectionNote error={drawing.error} />
    </div>
  );
}
