// The console behind the login: the ways to its areas, and the area that the address names.
import { UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { forget } from '../live/live.ts';
import { endOperator } from '../session/operator.ts';
import { decoded } from '../shell/decoded.ts';
import { NotFound } from '../shell/notices.tsx';
import { areas } from './areas.ts';
import styles from './console.module.css';
import { keys } from './feeds.ts';

function logOut(): void {
  endOperator(false);
  forget(keys.all);
}

export function Console() {
  const [location] = useLocation();
  const [, , first = '', rest = ''] = location.split('/').map(decoded);
  const area = areas.find(({ path }) => path === first);
  const title = area?.title ?? 'Operator console';
  useEffect(() => {
    document.title = `${title} · Operator console · agio`;
  });
  return (
    <div className={styles.console}>
      <nav className={styles.nav} aria-label="Areas of the operator console">
        <p className={styles.name}>Operator console</p>
        {areas.map(({ path, title: name, icon: Icon }) => (
          <Link
            key={path}
            href={path === '' ? '/operator' : `/operator/${path}`}
            className={styles.link}
            aria-current={path === first ? 'page' : undefined}
          >
            <Icon size={18} stroke={1.6} />
            {name}
          </Link>
        ))}
        <UnstyledButton className={`${styles.link} ${styles.logOut}`} onClick={logOut}>
          <IconLogout size={18} stroke={1.6} />
          Log out
        </UnstyledButton>
      </nav>
      <div className={styles.area}>
        {area === undefined ? <NotFound /> : <area.component key={rest} rest={rest} />}
      </div>
    </div>
  );
}
