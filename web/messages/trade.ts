// Texts of the trade page: market, order form, questions before an order, orders and fills.
import { inLanguage, plural } from './catalog.ts';

/** The types of orders, in the order of the filter. */
const types = {
  market: 'Market',
  postOnly: 'Post-only',
  limit: 'Limit',
  iceberg: 'Iceberg',
  stop: 'Stop',
  stopLimit: 'Stop limit',
  takeProfit: 'Take profit',
  takeProfitLimit: 'Take profit limit',
  trailingStop: 'Trailing stop',
  trailingStopLimit: 'Trailing stop limit',
};

const side = (buys: boolean): string => (buys ? 'Buy' : 'Sell');

const en = {
  buy: 'Buy',
  sell: 'Sell',
  side,
  logIn: 'Log in',
  logInToTrade: 'Log in to trade',
  logInAgain: 'Log in again',
  signUp: 'Sign up',
  createAccount: 'Create an account',

  page: {
    noPairs: 'No pairs yet',
    noPairsWhy: 'The operator has not listed any pair to trade.',
    notFound: 'Pair not found',
    notFoundLead: 'You can trade these pairs.',
    pairs: 'Pairs',
    ordersHeight: 'Height of your orders, in percent of the window',
    ordersHeightHint: 'Drag to resize; double-click to reset',
    marketViews: 'Market view',
    chart: 'Chart',
    book: 'Book',
    trades: 'Trades',
  },

  status: {
    LIVE: { short: 'Trading', sentence: null },
    POST_ONLY: {
      short: 'Post-only',
      sentence:
        'This pair accepts only post-only limit orders. Nothing trades; you can cancel orders.',
    },
    CANCEL_ONLY: {
      short: 'Cancel only',
      sentence: 'This pair accepts no new orders. You can cancel open orders.',
    },
    HALTED: {
      short: 'Halted',
      sentence:
        'The operator halted this pair. It accepts no new orders; you can cancel open orders.',
    },
  },

  market: {
    change: '24 h change',
    high: '24 h high',
    low: '24 h low',
    volume: '24 h volume',
    volumeIn: (asset: string) => `24 h volume, ${asset}`,
    lastPrice: 'Last price ',
    choosePair: (symbol: string) => `${symbol}, choose another pair`,
    search: 'Search',
    searchPairs: 'Search pairs',
    sortBy: 'Sort by',
    pair: 'Pair',
    priceAndChange: 'Price / 24 h',
    noMatch: (search: string) => `No pair matches “${search}”.`,
    tape: 'Last trades',
    tapeOf: (symbol: string) => `Last trades of ${symbol}`,
    noTrades: 'No trades yet',
    noTradesWhy: 'The first trade will appear here.',
    boughtAt: 'bought at ',
    soldAt: 'sold at ',
    time: 'Time',
  },

  priceIn: (asset: string) => `Price (${asset})`,
  quantityIn: (asset: string) => `Quantity (${asset})`,
  totalIn: (asset: string) => `Total (${asset})`,

  book: {
    title: 'Book',
    titleWithTrades: 'Book and trades',
    levels: 'Levels',
    orders: 'Orders',
    ordersTitle: 'The book, order by order',
    mode: 'Book by price level or by order',
    queue: 'Queue',
    step: 'Price step',
    asks: 'Asks',
    bids: 'Bids',
    sellOrders: 'Sell orders',
    buyOrders: 'Buy orders',
    noAsks: 'No sell orders',
    noBids: 'No buy orders',
    yourOrder: 'Your order',
    yourOrderMark: ', your order',
    yourOrderAtPrice: 'You have an order at this price',
    place: (place: number, count: number) => `${place} of ${count}`,
    queueHint: 'The first order in the queue is filled first',
    empty: 'The book is empty',
    oneSide: 'No spread: one side is empty',
    mid: 'Mid ',
    spread: 'Spread ',
  },

  form: {
    title: (symbol: string) => `Order for ${symbol}`,
    side: 'Buy or sell',
    type: 'Order type',
    kinds: { ...types, oco: 'OCO', bracket: 'Bracket' },
    kindHints: {
      stop: 'A market order, once the price moves against you',
      stopLimit: 'A limit order, once the price moves against you',
      takeProfit: 'A market order, once the price reaches your target',
      takeProfitLimit: 'A limit order, once the price reaches your target',
      trailingStop: 'A market order, once the price turns by a distance',
      oco: 'A limit order and a stop; one cancels the other',
      bracket: 'A limit order that then takes its profit or stops its loss',
    },
    moreKinds: 'More',
    moreKindsLabel: 'More order types',
    trigger: 'Trigger price',
    distance: 'Distance',
    distanceIn: 'Distance in',
    trailsFrom: 'Activation',
    trailsFromEmpty: 'Now',
    stopTrigger: 'Stop trigger',
    stopLimit: 'Stop limit price',
    stopLimitEmpty: 'Market',
    takeProfit: 'Take profit price',
    atTakeProfit: 'At take profit, before fees',
    atStop: 'At the stop, before fees',
    lastPrice: (price: string) => `last ${price}`,
    optional: 'optional',
    advanced: 'Advanced',
    timeInForce: 'Time in force',
    times: {
      GTC: 'GTC: till canceled',
      IOC: 'IOC: immediate',
      FOK: 'FOK: all or nothing',
      GTD: 'GTD: till a date',
    },
    expires: 'Expires',
    shown: 'Shown quantity',
    shownAll: 'All',
    prevention: 'Self-trade prevention',
    preventions: {
      pair: 'Rule of the pair',
      cancelNewest: 'Cancel the newer order',
      cancelOldest: 'Cancel the older order',
      cancelBoth: 'Cancel both orders',
    },
    price: 'Price',
    priceHint: (step: string) => `Price step ${step}; the arrow keys move by one step`,
    bookPrices: { bid: 'Bid', mid: 'Mid', ask: 'Ask' },
    useBookPrice: { bid: 'Use the bid price', mid: 'Use the mid price', ask: 'Use the ask price' },
    quantity: 'Quantity',
    quantityHint: (minimum: string, step: string) => `Minimum ${minimum}, in steps of ${step}`,
    total: 'Total',
    totalHint: (minimum: string) => `Minimum ${minimum}`,
    marketTotal: (buys: boolean) => (buys ? 'Total to spend' : 'Total before fee'),
    minimum: (value: string) => `min ${value}`,
    sizeIn: 'Size in',
    share: (percent: number, asset: string) => `${percent} percent of the available ${asset}`,
    available: 'Available',
    postOnly: 'Post-only',
    postOnlyHint:
      'The order only adds to the book, so it never pays the taker fee. If it would execute ' +
      'immediately, the exchange rejects it.',
    submit: (buys: boolean, base: string) => `${side(buys)} ${base}`,
    offline: 'No connection',
    suspended: { short: 'Account suspended', sentence: 'You cannot place orders.' },
    summary: 'Balances and rules of this pair',
    balances: 'Balances',
    wallet: 'Wallet',
    walletAndTestMoney: 'Wallet and test money',
    inOpenOrders: (asset: string) => `${asset} in open orders`,
    position: 'Your position in this pair',
    bought: 'Bought and held',
    positionHow: 'From the fills of 90 days, with fees.',
    profit: 'Your profit',
    rules: 'Rules of this pair',
    priceStep: 'Price step',
    quantityStep: 'Quantity step',
    minimumQuantity: 'Minimum quantity',
    minimumTotal: 'Minimum total',
  },

  estimate: {
    averagePrice: 'Average price',
    youPay: 'You pay',
    youSell: 'You sell',
    youSellPart: 'You sell, in part',
    youReceive: 'You receive',
    youReceiveAtLeast: 'You receive at least',
    youReceiveAfterFee: 'You receive, after fee',
    immediateCost: 'Immediate cost',
    immediateProceeds: 'Immediate proceeds',
    exactTotal: 'Exact total',
    fee: 'Fee',
    maxFee: 'Max fee',
    held: 'Held until then',
    heldAtMost: 'Held until then, at most',
    makerAndTaker: (maker: string, taker: string) => `${maker} maker, ${taker} taker`,
    /** A figure of the part of an order that the book has. */
    forPart: (name: string, quantity: string) => `${name} for ${quantity}`,
    beyondBook: (wanted: string, levels: number, quantity: string) =>
      `${wanted} wanted; the best ${levels} prices have ${quantity}. ` +
      'The estimate leaves out what lies beyond.',
    bookTooThin: (wanted: string, quantity: string) =>
      `${wanted} wanted; the book has ${quantity}. The exchange cancels the rest.`,
    ownOrder: (wanted: string, quantity: string, price: string) =>
      `${wanted} wanted; ${quantity} is ahead of your own order at ${price}, ` +
      'where self-trade prevention ends this order.',
    executesNow: (quantity: string) => `Executes immediately: ≈ ${quantity}.`,
    executesNowAt: (quantity: string, average: string) =>
      `Executes immediately: ≈ ${quantity} at ${average} on average.`,
    slippage: (percent: string, price: string) =>
      `This moves the price by ${percent}, to ${price}.`,
    limitPastMarket: (percent: string, buys: boolean, price: string) =>
      buys
        ? `The limit is ${percent} above the best ask: the order may buy at up to ${price}.`
        : `The limit is ${percent} below the best bid: the order may sell at down to ${price}.`,
  },

  fault: {
    use: (value: string) => `Use ${value}`,
    makeIt: (kind: string) => `Make it a ${kind.toLowerCase()}`,
    priceStep: (step: string) => `Prices are multiples of ${step}.`,
    totalStep: (step: string) => `Totals are multiples of ${step}.`,
    quantityStep: (step: string) => `Quantities are multiples of ${step}.`,
    minimumQuantity: (minimum: string) => `The minimum quantity is ${minimum}.`,
    minimumTotal: (minimum: string) => `The minimum total is ${minimum}.`,
    sellsMore: (sold: string, available: string) =>
      `Insufficient balance: this order sells ${sold}; you have ${available}.`,
    costsMore: (cost: string, available: string, isMinimum: boolean) => {
      const verb = isMinimum ? 'costs at least' : 'costs';
      return `Insufficient balance: this order ${verb} ${cost}; you have ${available}.`;
    },
    emptyBook: (base: string, buys: boolean) =>
      `There are no ${buys ? 'sell' : 'buy'} orders for ${base}, ` +
      'so a market order cannot be filled.',
    ownOrderFirst: (price: string) =>
      `Your own order at ${price} is first in the book, so self-trade prevention would end this ` +
      'order. Cancel that one first.',
    exitReached: (isProfit: boolean, isAbove: boolean, price: string) =>
      `The ${isProfit ? 'take profit' : 'stop'} must be ${isAbove ? 'above' : 'below'} ${price}, ` +
      'where this order is expected to execute.',
    totalTooSmall: (lot: string, buys: boolean) =>
      `This total ${buys ? 'buys' : 'sells'} less than ${lot} at the best price.`,
    executes: (isOco: boolean) =>
      isOco
        ? 'The limit order of an OCO pair must rest. At this price it would execute immediately.'
        : 'This order would execute immediately, so post-only rejects it.',
    triggerReached: (trails: boolean, up: boolean, last: string) =>
      `The last price is ${last}. The ${trails ? 'activation price' : 'trigger'} must be ` +
      `${up ? 'above' : 'below'} it.`,
    distanceStep: (step: string) => `Distances are multiples of ${step}.`,
    distanceTooFar: (maximum: string) => `The maximum distance is ${maximum}.`,
    exitsApart: (sells: boolean, isOco: boolean) =>
      `The stop must be ${sells ? 'below' : 'above'} the ${isOco ? 'price' : 'take profit'}.`,
    shownTooSmall: (minimum: string) =>
      `The order must show ${minimum} or more: the minimum quantity, and 1% of the order.`,
    shownTooLarge: 'The order cannot show more than its quantity.',
    expired: 'Choose a later time: the clock of the exchange has passed this one.',
    notPlaced: 'The order was not placed.',
  },

  confirm: {
    marketMoved: 'The market moved, so the order was not sent. These are the new figures.',
    beyondBook: (percent: string) =>
      'This order goes beyond the prices that are shown. It moves the price by more than ' +
      `${percent}; the final price is unknown.`,
    spendsShare: (percent: string, asset: string) =>
      `This order spends ${percent} of your available ${asset} immediately.`,
    sellsShare: (percent: string, asset: string) =>
      `This order sells ${percent} of your available ${asset} immediately.`,
    noBook: 'The book has not loaded yet, so the price of this order is unknown.',
    emptyBook: 'The book has no orders left for this one.',
    type: 'Type',
    marketOrder: 'Market order',
    limitOrder: 'Limit order',
    quantity: 'Quantity',
    inTheBook: 'Available in the book',
    limit: 'Limit (worst price)',
    executesNow: 'Executes immediately',
    averageNow: 'Average price now',
    worstNow: 'Worst price now',
    fromBest: (percent: string) => `(${percent} from the best)`,
    maxCost: 'Max cost',
  },

  sent: {
    placed: 'Placed',
    placedUnread: (orderId: number) => `Order ${orderId}. Its status could not be read.`,
    unknown: (order: string) =>
      `The exchange has not confirmed this order: ${order} We are looking for it. ` +
      'You can send it again safely: it is placed at most once.',
    sendAgain: 'Send again',
    giveUp: 'Stop looking',
  },

  /** Buy 0.01 BTC at 40,000 USDT. */
  orderSentence: (buys: boolean, size: string, limit: string | null, trigger: string | null) =>
    `${side(buys)} ${size} at ${limit ?? 'market price'}` +
    `${trigger === null ? '' : `, triggered at ${trigger}`}.`,
  /** Trailing stop: sell 0.01 BTC at market price, 1% from the best price. */
  trailSentence: (buys: boolean, size: string, limit: string | null, distance: string) =>
    `Trailing stop${limit === null ? '' : ' limit'}: ${buys ? 'buy' : 'sell'} ${size} at ` +
    `${limit ?? 'market price'}, ${distance} from the best price.`,
  sizeByTotal: (base: string, total: string) => `${base} for ${total}`,

  outcome: {
    inBook: 'In the book',
    waiting: 'Waiting',
    waitsForTrigger: (up: boolean, trigger: string) =>
      `Waits until the last price ${up ? 'rises' : 'falls'} to ${trigger}.`,
    trails: (up: boolean, trigger: string) =>
      `Waits until the last price ${up ? 'rises' : 'falls'} to ${trigger}. ` +
      `The trigger only ${up ? 'falls' : 'rises'}.`,
    trailsFrom: (up: boolean, start: string) =>
      `Begins to trail when the last price ${up ? 'rises' : 'falls'} to ${start}.`,
    partlyFilledRestCanceled: 'Partly filled, rest canceled',
    nothingTraded: 'Nothing was traded',
    rejectedWhy: 'The exchange rejected the order.',
    restCanceled: 'The rest was canceled.',
    waits: (size: string, limit: string | null) =>
      limit === null ? `${size} is open.` : `${size} waits at ${limit}.`,
    tradedAverage: (bought: boolean, quantity: string, average: string) =>
      `${bought ? 'Bought' : 'Sold'} ${quantity} at an average of ${average}.`,
    traded: (bought: boolean, quantity: string, total: string, average: string) =>
      `${bought ? 'Bought' : 'Sold'} ${quantity} for ${total}, at ${average} on average.`,
    fee: (fee: string) => `Fee ${fee}.`,
  },

  orders: {
    label: 'Your orders',
    pageTitle: 'Orders and fills',
    openPage: 'Open the page of orders and fills',
    open: 'Open orders',
    openCount: (count: number) => `Open orders (${count})`,
    history: 'Order history',
    fills: 'Fills',
    only: (symbol: string) => `Only ${symbol}`,
    loggedOut: 'Log in to see your orders',
    statuses: {
      open: 'Open',
      partlyFilled: 'Partly filled',
      filled: 'Filled',
      canceled: 'Canceled',
      canceling: 'Canceling',
      rejected: 'Rejected',
      other: (code: number) => `Status ${code}`,
    },
    types,
    orStop: (trigger: string | null) => (trigger === null ? 'or a stop' : `or stop ${trigger}`),
    orLimit: (price: string | null) => (price === null ? 'or a limit order' : `or limit ${price}`),
    exit: 'Bracket',
    afterEntry: 'After the entry',
    exitsOf: (orderId: number) => `Exits of order ${orderId}`,
    pairedWith: (orderId: number) => `OCO with order ${orderId}`,
    entry: (orderId: number) => `Exit of order ${orderId}`,
    until: (time: string) => `until ${time}`,
    trails: (distance: string) => `trails by ${distance}`,
    shows: (quantity: string) => `shows ${quantity}`,
    edit: (field: string, orderId: number) => `Change the ${field} of order ${orderId}`,
    editHint: 'Enter saves, Esc cancels',
    fieldNames: { price: 'price', orderQty: 'quantity', stopPx: 'trigger' },
    exitNames: {
      takeProfitPx: 'take profit price',
      stopPx: 'stop trigger',
      stopLimitPx: 'stop limit price',
    },
    changed: (order: string) => `Changed: ${order}`,
    trigger: 'Trigger',

    placed: 'Placed',
    time: 'Time',
    pair: 'Pair',
    side: 'Side',
    type: 'Type',
    price: 'Price',
    quantity: 'Quantity',
    ordered: 'Ordered',
    filled: 'Filled',
    average: 'Average',
    total: 'Total',
    fee: 'Fee',
    role: 'Role',
    order: 'Order',
    status: 'Status',
    action: 'Action',
    maker: 'Maker',
    taker: 'Taker',

    anyPair: 'All pairs',
    anyType: 'All types',
    anySide: 'Buys and sells',
    buys: 'Buys',
    sells: 'Sells',
    anyStatus: 'Any status',
    within: 'Placed within',
    windows: {
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      all: 'All time',
      custom: 'Days',
    },
    firstDay: 'First day',
    lastDay: 'Last day',
    fillsOf: (orderId: number) => `Fills of order ${orderId}`,
    ids: (orderId: number, clientId: string) => `Order ${orderId} · Client ID ${clientId}`,
    cause: (status: string, reason: string) => `${status}: ${reason}`,
    withoutFills: '· No fills',
    newestFills: (count: number) => `The newest ${count} fills are shown.`,
    downloadCsv: 'CSV',
    fileIsCut: 'The file has the newest rows only. Choose fewer days for the rest.',
    noMatch: 'No orders match',
    noMatchWhy: 'This list has the last 30 days. The wallet’s statement has older trades.',
    noFills: 'No fills yet',
    noFillsWhy: 'When an order trades, each part of it is a fill with its own price and fee.',
    noOpen: 'No open orders',
    noOpenIn: (symbol: string) => `No open orders in ${symbol}`,
    noOpenWhy: 'Limit orders wait here until they are filled or canceled.',
    newest: (count: number) => `The newest ${count} open orders are shown.`,
    historyList: 'order history',
    fillsList: 'fills',

    cancel: 'Cancel',
    cancelOrder: (buys: boolean, symbol: string, orderId: number) =>
      `Cancel: ${side(buys)} ${symbol}, order ${orderId}`,
    canceled: (order: string) => `Canceled: ${order}`,
    cancelAll: 'Cancel all',
    /** `isMore`: there may be more orders than were counted. */
    cancelQuestion: (count: number, isMore: boolean) =>
      plural(count, {
        one: 'Cancel order?',
        other: `Cancel all ${count}${isMore ? '+' : ''} orders?`,
      }),
    cancelCount: (count: number, isMore: boolean) =>
      plural(count, { one: 'Cancel order', other: `Cancel ${count}${isMore ? '+' : ''} orders` }),
    cancelsEvery: 'This cancels every open order of the account, in every pair.',
    cancelsIn: (symbol: string) =>
      `This cancels every open order in ${symbol}. Orders in other pairs stay open.`,
    cancelKeepsFills: 'Fills stay. The funds that the orders hold become available.',
    canceledUnread: 'Orders canceled. The remaining open orders could not be read.',
    canceledNone: 'No order canceled',
    canceledCount: (count: number, isMore: boolean) =>
      `${isMore ? 'At least ' : ''}${count} canceled`,
    stillOpen: (count: number) =>
      plural(count, { one: '1 is still open', other: `${count} are still open` }),
  },
};

export const trade = inLanguage({ en });
