// The operator console: the login, the navigation, and the area that the address names.
import { Button, Code, PasswordInput, Text, UnstyledButton } from '@mantine/core';
import {
  IconBook,
  IconBook2,
  IconBuilding,
  IconChartCandle,
  IconGauge,
  IconLogout,
  IconPigMoney,
  IconServer,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Entry } from '../account/entry.tsx';
import { isLoggedOut } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { RejectionNote } from '../components/layout.tsx';
import { Caution } from '../components/texts.tsx';
import { forget } from '../live/live.ts';
import { operatorText as text } from '../messages/operator.ts';
import { isSandbox } from '../session/session.ts';
import { decoded } from '../shell/decoded.ts';
import { NotFound } from '../shell/notices.tsx';
import { useTitle } from '../shell/title.ts';
import styles from './console.module.css';
import {
  beginOperator,
  CONSOLE,
  endOperator,
  operatorToken,
  tryToken,
  useOperatorEnded,
} from './data.ts';
import { OperatorDocs } from './docs.tsx';
import { Enterprises } from './enterprises/enterprises.tsx';
import { Ledger } from './ledger/ledger.tsx';
import { Markets } from './markets/markets.tsx';
import { Overview } from './overview/overview.tsx';
import { Plans } from './plans/plans.tsx';
import { System } from './system/system.tsx';
import { Users } from './users/users.tsx';

interface Area {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** `rest`: what follows the area in the address, such as a uid. */
  readonly component: ComponentType<{ readonly rest: string }>;
}

const areas: readonly Area[] = [
  { path: '', title: text.overview, icon: IconGauge, component: Overview },
  { path: 'users', title: text.users, icon: IconUsers, component: Users },
  { path: 'ledger', title: text.ledger, icon: IconBook, component: Ledger },
  { path: 'markets', title: text.markets, icon: IconChartCandle, component: Markets },
  { path: 'plans', title: text.plans, icon: IconPigMoney, component: Plans },
  { path: 'enterprises', title: text.enterprises, icon: IconBuilding, component: Enterprises },
  { path: 'system', title: text.system, icon: IconServer, component: System },
  { path: 'docs', title: text.docs, icon: IconBook2, component: OperatorDocs },
];

export default function OperatorPage() {
  return operatorToken.use() === null ? <OperatorLogin /> : <Console />;
}

function logOut(): void {
  endOperator(false);
  forget(CONSOLE);
}

function Console() {
  const [location] = useLocation();
  const [, , first = '', rest = ''] = location.split('/').map(decoded);
  const area = areas.find(({ path }) => path === first);
  useTitle(text.documentTitle(area?.title ?? text.console));
  return (
    <div className={styles.console}>
      <nav className={styles.nav} aria-label={text.areasLabel}>
        <p className={styles.name}>{text.console}</p>
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
          {text.logOut}
        </UnstyledButton>
      </nav>
      <div className={styles.area}>
        {area === undefined ? <NotFound /> : <area.component key={rest} rest={rest} />}
      </div>
    </div>
  );
}

/** A token that a header can carry and the server's settings accept. */
const TOKEN = /^[\x21-\x7e]{1,256}$/;

/** Tries the token before it stores it. */
function OperatorLogin() {
  const [typed, setTyped] = useState('');
  const [isMalformed, setMalformed] = useState(false);
  const hasEnded = useOperatorEnded();
  const login = useAction(async (token: string) => {
    await tryToken(token);
    forget(CONSOLE);
    beginOperator(token);
  });
  const submit = () => {
    const token = typed.trim();
    const fits = TOKEN.test(token);
    setMalformed(!fits);
    login.clear();
    if (fits) login.run(token);
  };
  const isWrong = isMalformed || isLoggedOut(login.error);
  return (
    <Entry title={text.console} lead={text.loginLead} onSubmit={submit}>
      {hasEnded ? <Caution role="status">{text.tokenRejected}</Caution> : null}
      <PasswordInput
        label={text.token}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        error={isWrong ? text.wrongToken : undefined}
        data-autofocus
      />
      <Text size="xs" className="dim" component="div">
        <TokenPlace /> {text.tokenKept}
      </Text>
      <RejectionNote error={isLoggedOut(login.error) ? null : login.error} />
      <Button type="submit" loading={login.pending} disabled={typed.trim() === ''}>
        {text.openConsole}
      </Button>
    </Entry>
  );
}

/** Where the operator finds the token. */
function TokenPlace() {
  if (!isSandbox) {
    return (
      <>
        {text.tokenSetting[0]}
        <Code>AGIO_OPERATOR_TOKEN</Code>
        {text.tokenSetting[1]}
      </>
    );
  }
  return (
    <>
      {text.tokenInSandbox[0]}
      <Code>operatorToken</Code>
      {text.tokenInSandbox[1]}
      <Code>sandbox.json</Code>
      {text.tokenInSandbox[2]}
    </>
  );
}
