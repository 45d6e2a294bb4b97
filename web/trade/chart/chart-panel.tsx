// The panel of the chart: its toolbar, the price chart and the depth chart, and the full screen.
import { FocusTrap, VisuallyHidden } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { type CSSProperties, lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Loading } from '../../components/layout.tsx';
import { chart as t } from '../../messages/chart.ts';
import { pageCode } from '../../shell/page-code.ts';
import pageStyles from '../page.module.css';
import styles from './chart.module.css';
import { type ChartViewName, indicatorsSetting, viewSetting } from './chart-settings.ts';
import type { DrawingKind } from './drawings/drawings.ts';
import { panesOf, parseIndicators } from './indicators/indicators.ts';
import PriceChart from './price-chart.tsx';
import { Toolbar } from './toolbar.tsx';

// Loaded with the first look at the depth.
const DepthChart = lazy(pageCode(() => import('./depth/depth-chart.tsx')));

const FIRST_VALUE_NOW = { getInitialValueInEffect: false };

export default function ChartPanel() {
  const [isFull, setFull] = useFullScreen();
  const [tool, setTool] = useState<DrawingKind | null>(null);
  const drawing = { tool, onTool: setTool };
  const phone = useMediaQuery('(max-width: 47.99em)', false, FIRST_VALUE_NOW);
  const chosen = viewSetting.use();
  // Both do not fit on a phone.
  const view: ChartViewName = phone && chosen === 'both' ? 'price' : chosen;
  const indicators = parseIndicators(indicatorsSetting.use() ?? '');
  const panes = panesOf(indicators);
  return (
    <FocusTrap active={isFull}>
      <section
        className={`${pageStyles.chart} ${styles.panel}`}
        data-full={isFull || undefined}
        style={{ '--panes': view === 'depth' ? 0 : panes } as CSSProperties}
        aria-label={t.title}
      >
        <VisuallyHidden component="h2">{t.title}</VisuallyHidden>
        <Toolbar view={view} hasBoth={!phone} isFull={isFull} onFull={setFull} drawing={drawing} />
        <div className={styles.views} data-view={view}>
          {view === 'depth' ? null : (
            <div className={styles.view}>
              <PriceChart {...drawing} />
            </div>
          )}
          {view === 'price' ? null : (
            <div className={styles.view}>
              <Suspense fallback={<Loading rows={5} />}>
                <DepthChart />
              </Suspense>
            </div>
          )}
        </div>
      </section>
    </FocusTrap>
  );
}

/**
 * The panel fills the window, and the window the screen where the browser allows it. The menus are
 * outside of the panel, so the whole page becomes full screen.
 */
function useFullScreen() {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const onChange = () => {
      if (document.fullscreenElement === null) setFull(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement !== null) document.exitFullscreen().catch(ignored);
    };
  }, [isFull]);
  useWindowEvent('keydown', ({ key, defaultPrevented }) => {
    // A menu or a field that is open takes the key first.
    if (key === 'Escape' && !defaultPrevented) setFull(false);
  });
  const change = useCallback((full: boolean) => {
    setFull(full);
    // An iPhone rejects; the panel then fills the window.
    if (full) document.documentElement.requestFullscreen?.().catch(ignored);
  }, []);
  return [isFull, change] as const;
}

const ignored = (): void => {};
