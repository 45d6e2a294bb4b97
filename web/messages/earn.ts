// Texts of Earn: plans, the subscription form, and subscriptions with their interest.
import { counted, everyDays, inLanguage } from './catalog.ts';

const days = (count: number): string => counted(count, 'day');
const hours = (count: number): string => counted(count, 'hour');
const untilThen = 'The amount earns nothing on its way. You cannot undo a redemption.';

const en = {
  title: 'Earn',
  lead: 'Earn daily interest on idle balances. Every payout is verifiable.',
  back: 'All plans and subscriptions',
  sendAgain: 'Send it again: the exchange executes it only once.',
  nothing: '–',
  yes: 'yes',
  no: 'no',
  days,

  invitation: {
    label: 'Log in or create an account',
    text: 'Log in to see your rates and to subscribe from your spot balance.',
    createAccount: 'Create an account',
    logIn: 'Log in',
  },

  types: { flexible: 'Flexible', fixed: 'Fixed term', customized: 'Custom term' },
  typeLeads: {
    flexible: 'Add and redeem at any time. The rate can change daily.',
    fixed: 'A fixed term. The rate of the first day applies until the end.',
    customized: 'You choose the term, which sets the rate until the end.',
  },

  statuses: {
    ended: 'Ended',
    redeeming: 'Redeeming',
    partlyRedeeming: 'Earning, partly redeeming',
    starting: 'Starts at the next 00:00 UTC',
    earning: 'Earning',
  },

  verification:
    'Only for verified customers. Ask the operator of this exchange to verify your identity.',
  securityPage: ['Your ', 'security page', ' shows the result.'],

  /** The facts of a plan, a preview or a subscription: a name, a value, and what it means. */
  facts: {
    amount: 'Amount',
    apr: 'APR',
    aprWithBooster: (total: string, own: string, booster: string) =>
      `${total} (${own} + ${booster})`,
    term: 'Term',
    noTerm: 'No fixed term',
    termRange: (from: number, to: number) => `${from} to ${days(to)}`,
    minimum: 'Minimum',
    maximum: 'Maximum',
    maximumMeaning: 'The maximum of one customer in this plan.',
    capacity: 'Capacity left',
    capacityMeaning: 'What all customers together can still subscribe.',
    unlimited: 'no limit',
    full: 'full',
    interestPaid: 'Interest is paid',
    interestAdded: 'Interest is added',
    interestAddedHow: (rhythm: string) => `${rhythm}, to the amount`,
    interestAddedMeaning:
      'The plan compounds: each payout joins the principal and earns from that midnight. If the ' +
      'principal would exceed the plan’s maximum, it goes to your spot balance instead.',
    interest: 'Interest',
    interestHow: (rhythm: string) => `credited ${rhythm}`,
    interestMeaning:
      'If the plan compounds, interest joins the principal and earns. Otherwise it goes to your ' +
      'spot balance.',
    every: everyDays,
    atEnd: 'at the end of the term',
    redeem: 'Redeem',
    redeemEarly: 'Redeem early',
    anyAmount: 'any amount, any time',
    inFull: 'in full, without interest',
    notPossible: 'not possible',
    arrival: 'Arrives after redeeming',
    arrivalMeaning: `From the request to your spot balance. ${untilThen}`,
    immediately: 'immediately',
    inHours: (count: number) => `in ${hours(count)}`,
    autoRenew: 'Auto renew',
    autoRenewMeaning: 'At its end a new term starts with the same amount and length.',
    optional: 'optional',
    booster: 'Booster',
    boosterValue: (rate: string, coin: string) => `+${rate} with ${coin}`,
    boosterRate: (rate: string) => `+${rate}`,
    anotherCoin: 'another coin',
    boosterMeaning: (coin: string) =>
      `An amount of ${coin} that is locked for the term and raises the rate. It is returned with ` +
      'the principal.',
    boosterLocked: 'Booster locked',
    openTo: 'Open to',
    verifiedCustomers: 'verified customers',
    firstDay: 'First interest day',
    firstDayMeaning: 'The UTC day after the subscription or renewal.',
    ends: 'Ends',
    ended: 'Ended',
    midnight: (day: string) => `${day}, 00:00 UTC`,
    interestOfTerm: 'Interest of the term',
  },

  offers: {
    title: 'Plans',
    none: 'No open plans',
    noneWhy: 'Plans appear here when the exchange opens them.',
    noMatch: 'No matching plans',
    showAll: 'Show all plans',
    type: 'Plan type',
    allTypes: 'All',
    coin: 'Coin',
    allCoins: 'All coins',
    order: 'Order',
    view: 'View',
    views: { cards: 'Cards', table: 'Table' },
    compare: 'Plans to compare',
    orders: { rate: 'Highest APR first', term: 'Shortest term first', coin: 'By coin' },
    rateRange: (from: string, to: string) => `${from} – ${to}`,
    booster: (rate: string, coin: string) => `+${rate} with ${coin} as a booster`,
    subscribe: 'Subscribe',
    add: 'Add',
    open: 'View plan',
    plan: 'Plan',
    actions: 'Action',
    action: (action: string, plan: string) => `${action}: ${plan}`,
    held: (amount: string) => `You have ${amount} in it`,
  },

  plan: {
    notOpen: 'This plan is not open',
    notOpenWhy:
      'It is closed or does not exist. Subscriptions in a closed plan still earn; redeem them ' +
      'under “My subscriptions”.',
    aprSimple: 'APR, simple interest',
    terms: 'Terms',
    timeline: 'Timeline',
    timelineNote: 'Days are UTC days; each begins at 00:00 UTC.',
    how: 'How interest is computed',
    howDay: (coin: string) =>
      `A day earns principal × APR ÷ 365, rounded down to the smallest unit of ${coin}. The ` +
      'fraction is carried to the next day, so nothing is lost. A subscription’s page shows the ' +
      'computation of each day.',
    howPaid: 'Interest goes to your spot balance.',
    howAdded: 'This plan compounds: interest joins the principal and earns from that midnight.',
    howEither:
      'If a flexible plan compounds, interest joins the principal and earns from that midnight. ' +
      'Otherwise it goes to your spot balance.',
    howLowest: 'A day’s interest uses the lowest principal of that day.',
    howTerm: (renews: boolean) =>
      `The rate of the first day applies to the whole term${
        renews ? '; a renewed term takes the rate of its own first day' : ''
      }. Interest goes to your spot balance and does not earn.`,
    howEarly:
      'An early redemption forfeits all interest of the term: unpaid interest is dropped, and ' +
      'paid interest is taken back from the amount. You see the exact amounts before you confirm.',
  },

  timeline: {
    now: 'Now',
    starts: (booster: string | null, adds: boolean) =>
      `The amount moves from your spot balance into the plan.${
        booster === null ? '' : ` ${booster} is locked with it.`
      }${adds ? ' It joins your subscription.' : ''} Today earns nothing.`,
    firstDay: 'First interest day.',
    credited: 'credited',
    added: 'added to the amount',
    paid: 'paid',
    every: (count: number) => (count === 1 ? 'Every day' : `Every ${days(count)}`),
    payout: (how: string) => `Interest is ${how}.`,
    firstPayout: (how: string, count: number) =>
      `The first interest is ${how}, then ${everyDays(count)}.`,
    anyTime: 'Any time',
    redeem: (coin: string) =>
      `You can redeem any amount of ${coin}. It does not earn on that day; earned interest stays.`,
    renews: (term: number) =>
      `The last interest is paid, and a new term of ${days(term)} starts at the rate of that ` +
      'day. You can turn this off until then.',
    returns: (hasBooster: boolean) =>
      `The last interest is paid. The amount ${
        hasBooster ? 'and the booster return' : 'returns'
      } to your spot balance.`,
  },

  form: {
    subscribe: 'Subscribe',
    addTitle: 'Add to your subscription',
    add: 'Add',
    amount: 'Amount',
    available: (amount: string) => `${amount} available`,
    from: (minimum: string) => `from ${minimum}`,
    max: 'Max',
    maxHint: 'Max: the highest possible amount',
    inPlan: (amount: string) => `You have ${amount} in this plan.`,
    term: 'Term',
    daysUnit: 'days',
    termSlider: 'Days of the term',
    booster: (rate: string) => `Booster: +${rate} APR`,
    boosterHint: (coin: string, needed: string | null, available: string | null) =>
      `Locks ${coin} for the term; all of it comes back with the amount.${
        needed === null ? '' : ` It needs ${needed}.`
      }${available === null ? '' : ` You have ${available}.`}`,
    autoRenew: 'Auto renew',
    autoRenewHint: 'Starts another term of the same length at the end, at the rate of that day.',
    estimate: 'Estimated interest',
    onTerm: (amount: string, term: number) => `on ${amount} in the whole term of ${days(term)}`,
    spans: { 1: 'A day', 30: '30 days', 365: 'A year' },
    atTodaysRate: (coin: string) => `${coin}, at today’s rate and without compounding`,
    atTermRate: (coin: string) => `${coin}, at the rate of this term`,
    faults: {
      amountMissing: 'Enter an amount.',
      amountZero: 'Enter an amount above 0.',
      tooManyDecimals: (coin: string, decimals: number) =>
        `${coin} has at most ${decimals} decimals.`,
      belowMinimum: (minimum: string) => `The minimum for this plan is ${minimum}.`,
      youHave: (available: string) => `You have ${available}.`,
      aboveMaximum: (maximum: string, held: string | null) =>
        `The maximum for one customer in this plan is ${maximum}${
          held === null ? '' : `; you have ${held}`
        }.`,
      insufficient: (amount: string, available: string) =>
        `Insufficient balance: this takes ${amount}; you have ${available}.`,
      boosterMissing: (available: string) => `You have ${available} available.`,
      daysMissing: (from: number, to: number) => `Enter ${from} to ${to} days.`,
      daysNotWhole: (from: number, to: number) => `Enter whole days, from ${from} to ${to}.`,
      tooShort: (minimum: number) => `The shortest term is ${days(minimum)}.`,
      tooLong: (maximum: number) => `The longest term is ${days(maximum)}.`,
    },
  },

  confirmation: {
    subscribe: (plan: string) => `Subscribe to ${plan}`,
    add: (plan: string) => `Add to ${plan}`,
    subscribed: (amount: string, plan: string) => `Subscribed ${amount} to ${plan}.`,
    added: (amount: string, plan: string) => `Added ${amount} to ${plan}.`,
    subscribeAmount: (amount: string) => `Subscribe ${amount}`,
    addAmount: (amount: string) => `Add ${amount}`,
    flexible: 'You can redeem any amount at any time.',
    early: 'You can redeem early, but then the term earns nothing: paid interest is taken back.',
    locked: 'You cannot redeem this term early. The amount is locked until its end.',
  },

  holdings: {
    title: 'My subscriptions',
    none: 'No subscriptions yet',
    noneHow: 'Choose a plan below. Interest starts with the next UTC day.',
    lists: { current: 'Current', ended: 'Ended' },
    list: 'Subscriptions to show',
    noneEnded: 'No ended subscriptions',
    endedOn: 'Ended (UTC)',
    earnedInAll: 'Earned',
    totals: 'Totals by coin',
    totalOf: (count: number, coin: string) => `${counted(count, 'subscription')} in ${coin}`,
    earnedSoFar: 'earned so far',
    earned: 'earned',
    plan: 'Plan',
    status: 'Status',
    noTerm: 'no term',
    soFar: (count: number) => `${days(count)} so far`,
    dayOf: (day: number, total: number) => `Day ${day} of ${total}`,
    endsAt: (day: string) => `Ends ${day}, 00:00 UTC`,
  },

  autoRenew: {
    of: (plan: string) => `Auto renew of ${plan}`,
    isOn: 'Auto renew is on.',
    isOff: 'Auto renew is off.',
    notOffered: 'not offered',
    consent: (rate: string) =>
      `Your enterprise keeps more now. The term ends unless you agree to ${rate} for the next one.`,
    renewAt: (rate: string) => `Renew at ${rate}`,
  },

  subscription: {
    title: 'My subscription',
    head: (type: string, coin: string, applyId: string) =>
      `${type} · ${coin} · subscription ${applyId}`,
    earningPrincipal: 'Earning principal',
    inRedemption: 'In redemption',
    lastPrincipal: 'Principal of the last term',
    earnedSoFar: 'Earned so far',
    forfeited: 'the interest of the term was forfeited',
    boosted: (own: string, booster: string) => `${own} and ${booster} from the booster`,
    nextPayout: 'Next payout',
    payoutAt: (until: string) => `00:00 UTC, ${until}`,
    inMinutes: (count: number) => `in ${count} min`,
    inHours: (count: number) => `in ${count} h`,
    inDays: (count: number) => `in ${days(count)}`,
    daysDone: (done: number, total: number) => `${done} of ${days(total)} done`,
    termAndPayout: 'Term and payout',
    dailyInterest: 'Daily interest',
    days: 'Days',
    endedEarly:
      'You redeemed early: the principal, less the paid interest, is in your spot balance.',
    ended: 'It ended, and everything is in your spot balance.',
    thePlan: 'The plan',
    add: 'Add',
    noEarlyEnd: (renews: boolean) =>
      `The plan does not allow ending the term early. ${
        renews
          ? 'At its end the last interest is paid, and another term starts.'
          : 'At its end, principal and interest go to your spot balance automatically.'
      }`,
    owedInterest:
      'Only interest is left, which the plan could not pay yet. The plan pays it automatically ' +
      'as soon as it can; you can also claim it.',
    claim: 'Claim interest',
    claimed: 'The interest is in your spot balance.',
  },

  interest: {
    none: 'No interest yet',
    noneWhy:
      'The first day that earns is the UTC day after the subscription. Its interest appears ' +
      'after that day.',
    daysShown: 'Days shown',
    ranges: { 30: '30 days', 90: '90 days', 365: '1 year' },
    forfeited: 'forfeited',
    forfeitedMark: ', forfeited',
    running: (total: string) => ` · total of these days +${total}`,
    chart: (count: number, from: string, to: string, total: string) =>
      `Interest of ${days(count)}, from ${from} to ${to}: ${total} in total. The table “Days” ` +
      'has every figure.',
    daily: 'daily interest',
    runningLegend: 'running total of these days, on its own scale',
    table: 'Interest of each day',
    day: 'Day (UTC)',
    interestIn: (coin: string) => `Interest (${coin})`,
    computation: 'Computation',
    explain: 'Explain',
    explainDay: (day: string) => `Explain the interest of ${day}`,
    ofDay: (day: string) => `The interest of ${day}`,
  },

  explanation: {
    ofPlan: 'Interest of the plan',
    ofBooster: 'Interest of the booster',
    principal: 'Principal of this day',
    apr: 'APR',
    additionalApr: 'Additional APR',
    daysPerYear: 'Days per year',
    exact: 'Exact interest of the day',
    carriedIn: 'Carried from the previous day',
    carriedOut: 'Carried to the next day',
    ofCoin: (fraction: string) => `${fraction} of a coin`,
    interest: 'Interest of the day',
    total: 'Total: ',
    rounding: (coin: string) =>
      `Interest is rounded down to the smallest unit of ${coin}. The fraction is carried to the ` +
      'next day.',
    verified: 'Verified on this page: both sides are equal to the last digit.',
    wrong: 'The sides differ. Report this day and the subscription to the exchange.',
  },

  redeem: {
    redeem: 'Redeem',
    redeemEarly: 'Redeem early',
    title: (action: string, plan: string) => `${action}: ${plan}`,
    redeemAmount: (amount: string) => `Redeem ${amount}`,
    amount: 'Amount',
    inPlan: (amount: string) => `${amount} in the plan`,
    all: 'All',
    allHint: 'All of it',
    onItsWay: 'The whole amount is on its way to your spot balance.',
    notMore: (amount: string) => `You have ${amount} in this plan.`,
    takenBack: 'Paid interest, taken back',
    unpaidLost: 'Interest not paid yet',
    receive: 'You receive',
    lose: 'You lose',
    lessPaid: (amount: string) => `${amount}, less the interest that was paid`,
    ofInterest: (amount: string) => `${amount} of interest`,
    boosterBack: 'Booster returned',
    keeps: 'Earned interest stays yours. What you redeem does not earn today.',
    nothingLost: 'You lose nothing: the term has earned no interest yet.',
    endsTerm: 'The term ends now and earns nothing.',
    noUndo: 'You cannot undo this.',
    arrivesAfter: (count: number) =>
      `It arrives in your spot balance ${hours(count)} after the request. ${untilThen}`,
    untilThen,
    redeemed: (amount: string) => `Redeemed ${amount}.`,
    redeemedEarly: 'Redeemed early.',
    moneyThere: 'The money is in your spot balance.',
    moneyArrives: (count: number) => `The money arrives in your spot balance in ${hours(count)}.`,
  },

  redemptions: {
    title: 'Redemptions',
    requested: 'Requested (local time)',
    amount: 'Amount',
    arrives: 'Arrives',
    lessInterest: 'less the interest that was taken back',
    amountLess: (amount: string, interest: string) => `${amount} less ${interest} of interest`,
    there: 'In your spot balance',
    due: 'due',
    afterRequest: (count: number) => `(${hours(count)} after the request)`,
  },
};

export const earnText = inLanguage({ en });
