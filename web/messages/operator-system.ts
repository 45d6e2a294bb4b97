// Texts of the operator console about the installation: journal, audit log, emails, limits, clock,
// cluster.
import { counted, inLanguage, plural } from './catalog.ts';

const commandCount = (commands: string) =>
  commands === '1' ? '1 command' : `${commands} commands`;

const en = {
  system: 'System',
  parts: 'Parts of the system',
  journal: 'Journal',
  audit: 'Audit log',
  outbox: 'Emails',
  limits: 'Rate limits',
  clock: 'Clock',

  head: 'Journal head',
  headLabel: 'head of the journal',
  commands: 'Commands',
  businessTime: 'Business time',
  stateHash: 'State hash',
  headUse:
    'Note it on another machine. Later, agio verify --journal-head proves that nothing before it ' +
    'was cut or changed.',
  serverErrors: 'Server errors since the start',
  status: (status: string) => `Status ${status}`,
  requests: (times: number) => counted(times, 'request'),
  statusMeanings: {
    '500': 'failed in the server. Report it with the lines of the log.',
    '503': 'came while the server was starting, stopping, overloaded or without its disk.',
  } as Readonly<Record<string, string>>,
  statusOther: 'failed.',
  serverErrorsUse:
    'The server log has each failure with its cause and its requestId, which the client got as ' +
    'X-Request-Id: search the log for “a request failed”.',
  pace: 'Load',
  syncs: 'Disk syncs since the start',
  queued: 'Queued commands',
  historyLag: 'History lag',
  commandCount,
  openOrders: 'Open orders',
  uptime: 'Uptime',
  memory: 'Memory',
  snapshot: 'Snapshot',
  snapshotUse:
    'A snapshot is the whole state after one command. A start reads the newest snapshot and ' +
    'replays what follows. The server takes snapshots automatically; take one before a planned ' +
    'restart to shorten it. Trading continues meanwhile.',
  takeSnapshot: 'Take snapshot',
  snapshotTaken: (seq: string) => `Wrote a snapshot of the state after command ${seq}.`,

  auditUse:
    'Records every call with the operator token (reads and rejections too), failed logins, and ' +
    'what users do about their logins and keys. A hash chains each entry to the one before. ' +
    'Note the newest hash elsewhere: later, agio verify --audit-head proves that nothing was cut.',
  auditHead: 'head of the audit log',
  auditEntries: 'Entries of the audit log',
  changesOnly: 'Changes only',
  noChanges: 'No changes among these entries',
  onlyReads: 'These entries only read.',
  hiddenReads: (reads: number, entries: number) =>
    `${reads} of the ${entries} entries on this page only read and are hidden.`,
  entry: (id: number) => `Entry ${id}`,
  details: 'Details',
  number: 'ID',
  time: 'Time',
  action: 'Action',
  result: 'Result',
  done: 'Done',
  begun: 'Started',
  object: 'Object',
  actor: 'Actor',
  address: 'IP address',
  request: 'Request',
  hash: 'Hash',

  emailsNewestFirst: 'Emails, newest first',
  email: 'Email',
  noEmails: 'No emails',
  sandboxEmails:
    'A sandbox without an SMTP server writes its emails to the outbox directory. They appear ' +
    'here, with the codes that users request.',
  smtpEmails: 'The SMTP server sends the emails; the outbox directory is empty.',
  from: 'From',
  to: 'To',
  subject: 'Subject',
  sent: 'Sent',
  file: 'File',

  limit: 'Limit',
  appliesTo: 'Applies to',
  countedBy: 'Counted by',
  sustained: 'Sustained',
  quota: (requests: string, seconds: number) => `${requests} in ${seconds} s`,
  burst: 'Burst',
  state: 'State',
  on: 'On',
  off: 'Off',
  rejected: 'Rejected',
  limitsUse:
    '“Rejected” counts requests since the start. The server setting --rate-limits sets the ' +
    'limits; a change needs a restart.',
  limitMeanings: {
    public: 'public calls and the user center',
    private: 'private reads',
    order: 'private writes: orders, cancels, Earn',
    user: 'private reads, all keys and sessions of a user together',
    'user-order': 'private writes, all keys and sessions of a user together',
    account: 'changes in the user center',
    'failed-auth': 'failed signatures of one key',
    'failed-address': 'failed signatures of all keys together',
  } as Readonly<Record<string, string>>,

  sandboxClock: 'Sandbox clock',
  businessClock: 'Business time: orders and interest',
  wallClock: 'Wall clock: signatures and logins',
  offset: 'Ahead by',
  notMoved: 'Not moved',
  utc: (time: string) => `${time} UTC`,
  howFar: 'How far',
  unit: 'Unit',
  units: { days: 'days', hours: 'hours' },
  spanNeeded: (unit: string) => `Enter a number of ${unit} above 0.`,
  spanMaximum: (days: number) => `Enter at most ${days} days.`,
  spanTooFine: 'The smallest unit is a millisecond.',
  presets: ['+1 hour', '+1 day', '+30 days'],
  move: 'Move',
  moveQuestion: 'Move the clock ahead?',
  moveConfirm: 'Move clock',
  moves: (from: string, to: string) => `Business time goes from ${from} to ${to} UTC for everyone.`,
  noDayEnds: 'No UTC day ends, so no interest accrues.',
  daysEnd: (days: number) =>
    plural(days, {
      one: '1 UTC day ends: it accrues interest, which plans pay from their reserves.',
      other:
        `${days.toLocaleString('en')} UTC days end: each accrues interest, which plans pay from ` +
        'their reserves.',
    }),
  termsEnd: 'Terms that end by then end or renew. Redemptions are credited after their lock time.',
  timersFire:
    'Armed “cancel all after” timers fire, and idempotency keys older than a day are forgotten.',
  noWayBack: 'You cannot move the clock back.',
  step: (step: number, steps: number) => `Step ${step} of ${steps}: closing days…`,
  progress: 'Progress of the clock',
  stop: 'Stop after this step',
  moved: (from: string, to: string, commands: string, stopped: boolean) =>
    `${stopped ? 'Stopped early. ' : ''}The clock went from ${from} to ${to} UTC; the journal ` +
    `grew by ${commandCount(commands)}.`,
  nothingDue: 'Nothing in Earn became due.',
  becameDue: 'What became due',
  asset: 'Asset',
  item: 'Item',
  change: 'Change',
  dueAccounts: {
    interestReserve: 'Plan reserves',
    interestPayable: 'Interest earned and not paid yet',
    enterpriseMargin: 'Margins paid to enterprises',
    customerEarn: 'Principal in Earn',
    customerRedeeming: 'Principal in redemption',
    customerBooster: 'Booster coins locked',
  } as Readonly<Record<string, string>>,

  cluster: {
    cluster: 'Cluster',
    nodes: 'Nodes',
    leader: 'Leader',
    leadsSince: 'Leads since',
    term: 'Term',
    connected: 'Connected nodes',
    writes: 'Writes',
    accepted: 'Accepted',
    rejected: { storageFull: 'Rejected: PostgreSQL has no room', noLeader: 'Rejected: no leader' },
    node: 'Node',
    role: 'Role',
    roles: {
      leader: 'Leader',
      follower: 'Follower',
      lost: 'Lost',
      stopped: 'Stopped',
      unknown: 'Unknown',
    },
    cause: 'Cause',
    lastSeen: 'Last seen',
    action: 'Action',
    commands: 'Commands',
    lag: 'Lag',
    connectedSince: 'Connected since',
    link: 'Link',
    nodesUse:
      'The leader puts all writes in order; every node answers reads. “Lag” counts the ' +
      'commands that a node has not applied yet. A lost node has no connection and gives no sign.',
    handOver: 'Hand over lead…',
    handOverName: (node: string) => `Hand over lead to ${node}`,
    question: (node: string) => `Hand over lead to ${node}?`,
    confirm: 'Hand over lead',
    consequences: (node: string, leader: string) => [
      `${node} leads from now on, and ${leader} follows it.`,
      'Writes wait for less than a second. The cluster rejects none of them.',
      'You can hand the lead back at any time.',
    ],
    leadsNow: (node: string, term: string) => `${node} leads now, in term ${term}.`,
  },
};

export const systemText = inLanguage({ en });
