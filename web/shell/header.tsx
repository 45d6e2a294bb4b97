// The bar at the top, and on phones the bar at the bottom.
import {
  ActionIcon,
  Badge,
  Menu,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { LinkButton, PlainButton } from '../components/texts.tsx';
import { dateTime } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { shell as t } from '../messages/shell.ts';
import { type Page, pages } from '../pages.ts';
import { isSandbox, type Session, useLogOut, useSession } from '../session/session.ts';
import { FillBell } from './fill-bell.tsx';
import styles from './shell.module.css';

/** The pages of a menu that this user may open. */
function inMenu(menu: 'main' | 'account', { me }: Session): readonly Page[] {
  return pages.filter(
    (page) => page.menu === menu && (page.visibleTo !== 'enterprise' || me?.enterpriseAdmin),
  );
}

/** The operator console has its own links. */
const linksOn = (current: string, session: Session): readonly Page[] =>
  current === 'operator' ? [] : inMenu('main', session);

const useCurrent = (): string => useLocation()[0].split('/')[1] ?? '';

export function Header() {
  const session = useSession();
  const current = useCurrent();
  return (
    <header className={styles.header}>
      <Link href="/" className={styles.home} aria-label={t.home}>
        <Logo />
      </Link>
      <nav className={styles.nav} aria-label={t.pageLinks}>
        {linksOn(current, session).map(({ path, title }) => (
          <Link
            key={path}
            href={`/${path}`}
            className={styles.link}
            aria-current={current === path ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className={styles.tools}>
        {isSandbox ? <SandboxBadge /> : null}
        <SchemeSwitch />
        {current === 'operator' ? null : (
          <>
            {session.me === null ? null : <FillBell uid={session.me.uid} />}
            <Account session={session} />
          </>
        )}
      </div>
    </header>
  );
}

/** The mark and the name. */
function Logo() {
  return (
    <span className={styles.logo}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#5b5bf0" />
        <path
          d="M8 22.5 13.2 9.5h2.9L21.4 22.5M10.3 17.6h8.7"
          fill="none"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="24.2" cy="9.4" r="2.3" fill="#7ff0c3" />
      </svg>
      agio
    </span>
  );
}

/** On phones the links to the pages are at the bottom, within reach of the thumb. */
export function TabBar() {
  const session = useSession();
  const current = useCurrent();
  if (current === 'operator') return null;
  return (
    <nav className={styles.tabs} aria-label={t.bottomPageLinks}>
      {linksOn(current, session).map(({ path, title, icon: Icon }) => (
        <Link
          key={path}
          href={`/${path}`}
          className={styles.tab}
          aria-current={current === path ? 'page' : undefined}
        >
          {Icon === undefined ? null : <Icon size={20} stroke={1.6} />}
          {title}
        </Link>
      ))}
    </nav>
  );
}

function SandboxBadge() {
  const { data } = useLive(feeds.serverTime);
  const ahead = data === undefined ? 0 : Number(data.businessTime) - Number(data.serverTime);
  const text = ahead > 60_000 ? t.testMoneyAt(dateTime(data!.businessTime)) : t.testMoney;
  return (
    <Tooltip label={text}>
      <Badge color="yellow" variant="light" size="sm" radius="sm" className={styles.badge}>
        {t.sandbox}
      </Badge>
    </Tooltip>
  );
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={t.useColors[other]}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => setColorScheme(other)}
        aria-label={t.useColors[other]}
      >
        {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}

function Account({ session }: { readonly session: Session }) {
  const logOut = useLogOut();
  const { state, me } = session;
  if (state === 'unknown') return <div className={styles.accountPlace} />;
  if (me === null) {
    return (
      <>
        <LinkButton href="/login" variant="subtle" size="xs">
          {t.logIn}
        </LinkButton>
        <LinkButton href="/register" size="xs" className={styles.signUp}>
          {t.signUp}
        </LinkButton>
      </>
    );
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <PlainButton
          size="xs"
          leftSection={<IconUser size={15} />}
          aria-label={t.accountOf(me.email)}
        >
          <span className={styles.email}>{me.email}</span>
        </PlainButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="breakable">
          {me.email}
          <br />
          {t.accountNumber(me.uid)}
        </Menu.Label>
        {inMenu('account', session).map(({ path, title, icon: Icon }) => (
          <Menu.Item
            key={path}
            component={Link}
            href={`/${path}`}
            leftSection={Icon === undefined ? null : <Icon size={16} stroke={1.6} />}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => logOut()}>
          {t.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
