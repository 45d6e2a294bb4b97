// The areas of the console: where each is, what it is called, and what shows it.
import {
  IconBook,
  IconBuilding,
  IconChartCandle,
  IconGauge,
  IconPigMoney,
  IconServer,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Enterprises } from './enterprises/enterprises.tsx';
import { Ledger } from './ledger/ledger.tsx';
import { Markets } from './markets/markets.tsx';
import { Overview } from './overview/overview.tsx';
import { Plans } from './plans/plans.tsx';
import { System } from './system/system.tsx';
import { Users } from './users/users.tsx';

/** `rest`: what stands in the address after the area, such as a uid. */
export interface AreaProps {
  readonly rest: string;
}

export interface Area {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly component: ComponentType<AreaProps>;
}

export const areas: readonly Area[] = [
  { path: '', title: 'Overview', icon: IconGauge, component: Overview },
  { path: 'users', title: 'Users', icon: IconUsers, component: Users },
  { path: 'ledger', title: 'Ledger', icon: IconBook, component: Ledger },
  { path: 'markets', title: 'Markets', icon: IconChartCandle, component: Markets },
  { path: 'plans', title: 'Plans', icon: IconPigMoney, component: Plans },
  { path: 'enterprises', title: 'Enterprises', icon: IconBuilding, component: Enterprises },
  { path: 'system', title: 'System', icon: IconServer, component: System },
];
