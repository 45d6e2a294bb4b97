// Texts of the docs pages: the documents, their search, and the API reference.
import { counted, inLanguage } from './catalog.ts';

const range = (from: number | undefined, to: number | undefined): string => {
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return ` from ${from}`;
  return from === undefined ? ` up to ${to}` : ` from ${from} to ${to}`;
};

const en = {
  title: 'Docs',
  lead: 'Trade and earn with programs: one API by HTTP and websockets, with typed clients.',
  groups: { guides: 'Guides', reference: 'Reference' },
  documents: {
    api: { title: 'API reference', what: 'Every call, with code and a form to send it.' },
    orders: { title: 'Trade', what: 'Every order type, and what happens to an order when.' },
    earn: { title: 'Earn', what: 'Interest, redemption and boosters, with figures.' },
    websocket: { title: 'Streams', what: 'Live books, trades and your own orders; resuming.' },
    errors: { title: 'Errors', what: 'Every code, its meaning, and whether to try again.' },
    sdk: { title: 'TypeScript SDK', what: 'The typed client, for Node, Bun and browsers.' },
    ccxt: { title: 'ccxt', what: 'Bots that use ccxt.' },
    binance: { title: 'Binance bots', what: 'Bots for Binance: change their URLs.' },
    rest: { title: 'HTTP API', what: 'Conventions, signing, every call with examples.' },
    glossary: { title: 'Glossary', what: 'Each term and its meaning.' },
    changelog: { title: 'Changelog', what: 'The changes of each release.' },
    operating: { title: 'Operating', what: 'Install, set up, back up, upgrade, repair.' },
    cluster: { title: 'Cluster', what: 'Several nodes with PostgreSQL, and failover.' },
    security: {
      title: 'Security',
      what: 'How accounts and money are protected, each with its test.',
    },
    proofs: { title: 'Proofs', what: 'Guarantees, and the tests that prove them.' },
    benchmarks: { title: 'Benchmarks', what: 'Measured speed.' },
  },
  quickstart: {
    name: 'Quickstart',
    title: 'Quickstart: a signed request in three steps',
    language: 'Language',
    key: '1. Create a key',
    createKey: 'Create an API key',
    keyHow: (isOwn: boolean) =>
      isOwn
        ? 'Your newest key is filled in. Only you have its secret: put it in place of the text.'
        : 'Give it the privileges to read and to trade. Put the key and its secret into the code.',
    read: '2. Read your balances',
    check: '3. Check an order',
    how: {
      curl: [
        'Paste it into a terminal; it needs curl and openssl.',
        'In the same terminal. The signature covers the time, the method, the path and the body.',
        'The exchange checks a market order for 100, and places nothing. Replace testorder by ' +
          'order to place it.',
      ],
      TypeScript: [
        'Save it as agio.mts.',
        'Add this line, then run npx bun agio.mts.',
        'Add it and run the file again: the exchange checks a market order for 100, and places ' +
          'nothing. Replace testorder by order to place it.',
      ],
      Python: [
        'Save it as agio.py; it needs only Python 3.',
        'Add this line, then run python3 agio.py.',
        'Add it and run the file again: the exchange checks a market order for 100, and places ' +
          'nothing. Replace testorder by order to place it.',
      ],
    },
    yourKey: 'your API key',
    yourSecret: 'your secret key',
    yourToken: 'your token',
    code: (step: string) => `code of “${step}”`,
  },
  documentTitle: (title: string) => `${title} · Docs`,
  documentList: 'Documents',
  document: 'Document',
  search: 'Search',
  searchDocuments: 'Search the documents',
  notFound: 'Document not found',
  goToDocs: 'Go to the docs',
  onThisPage: 'On this page',
  table: 'Table',
  copy: 'Copy',
  copyCode: 'Copy the code',
  copied: 'Copied',
  notCopied: 'Not allowed',
  nothingFound: 'Nothing found',
  nothingFoundWhy: 'One section must contain all words. Try fewer words, or a part of a word.',
  found: (sections: number) => counted(sections, 'section'),

  reference: {
    title: 'API reference',
    callTitle: (id: string) => `${id} · API reference`,
    find: 'Find a call',
    noneFound: 'No call has all of these words.',
    errors: 'Errors',
    deprecated: 'deprecated',
    callsOf: (tag: string) => `All calls: ${tag}`,

    access: 'Access',
    accessOf: {
      public: 'Everyone.',
      private: 'An API key that signs, or a session.',
      session: 'A session of the user center.',
      operator: 'The operator.',
    },
    module: (module: number, name: string) => `Module ${module}: ${name}.`,
    stepUp: 'A session needs a step-up.',
    sdk: 'SDK',
    parameters: 'Parameters',
    body: 'Body',
    headers: 'Headers',
    answer: 'Answer',
    answerFields: 'Fields of the answer',
    noFields: 'No fields.',
    field: 'Field',
    form: 'Form',
    default: 'Default',
    required: 'required',
    meaning: 'Meaning',
    inPath: (form: string) => `${form} (path)`,
    exampleAnswer: 'Example answer',
    rejections: 'Errors of this call',
    rejectionCount: (count: number) => `Errors of this call (${count})`,
    http: 'HTTP',
    code: 'Code',
    name: 'Name',
    reason: 'Reason',
    allCodes: 'All codes: ',

    forms: {
      decimal: 'decimal',
      decimalText: 'decimal as a string',
      decimalAbove: (minimum: number) => `decimal above ${minimum}`,
      decimalFrom: (minimum: number) => `decimal from ${minimum}`,
      id: 'id: string of digits',
      or: ' or ',
      orNull: ' or null',
      any: 'any',
      values: 'values',
      list: (of: string, from: number | undefined, to: number | undefined) =>
        `list of ${of}${range(from, to)}`,
      integer: (from: number | undefined, to: number | undefined) => `integer${range(from, to)}`,
      string: 'string',
      text: (from: number | undefined, to: number | undefined) => `text${range(from, to)}`,
    },
  },

  tryIt: {
    title: 'Request',
    codeOf: (language: string) => `code for ${language}`,
    credentials: 'Credentials',
    session: 'This session',
    key: 'An API key',
    logIn: (keyWorks: boolean) =>
      keyWorks ? 'Log in first, or choose an API key.' : 'Log in first.',
    token: 'Operator token',
    tokenNote: 'Stays in the memory of this page.',
    apiKey: 'API key',
    secretKey: 'Secret key',
    secretNote: 'Signs in this page. It is not sent, and stays in the memory of this page.',
    body: 'Body',
    bodyNote: 'The page signs and sends exactly this text.',
    send: 'Send',
    confirm: {
      title: 'Send a real request?',
      real: (request: string) =>
        `${request} is executed on this exchange, as if a program sent it.`,
      money: (isSandbox: boolean) =>
        isSandbox
          ? 'It moves test money of the account.'
          : 'It can move real money of the account.',
      send: 'Send real request',
    },
    noAnswer: 'No answer',
    signed: 'Signed',
    signedText: 'The signed text',
    sent: 'Sent',
    sentText: 'The sent request',
    after: (milliseconds: number) => `after ${milliseconds} ms`,
    details: 'What was sent',
    answerHeaders: 'The headers of the answer',
    answer: 'The answer',
  },
};

export const docsText = inLanguage({ en });
