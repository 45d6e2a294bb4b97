// Texts of what stays while pages change: the bars, the names of the pages, and notices in place of
// a page.
import { inLanguage } from './catalog.ts';

const en = {
  pages: {
    home: 'Home',
    markets: 'Markets',
    trade: 'Trade',
    orders: 'Orders',
    earn: 'Earn',
    wallet: 'Wallet',
    enterprise: 'Enterprise',
    docs: 'Docs',
    keys: 'API keys',
    security: 'Security',
    settings: 'Settings',
    operator: 'Operator console',
    login: 'Log in',
    register: 'Create an account',
    reset: 'Reset password',
  },
  messages: 'Messages',
  home: 'agio, go to the home page',
  pageLinks: 'Pages',
  bottomPageLinks: 'Pages at the bottom',
  skipToContent: 'Skip to content',
  sandbox: 'Sandbox',
  testMoney: 'This sandbox uses test money.',
  testMoneyAt: (time: string) => `This sandbox uses test money. Its clock is at ${time}.`,
  useColors: { light: 'Use light colors', dark: 'Use dark colors' },
  logIn: 'Log in',
  signUp: 'Sign up',
  logOut: 'Log out',
  createAccount: 'Create an account',
  accountOf: (email: string) => `Account of ${email}`,
  accountNumber: (uid: number) => `Account ${uid}`,
  logInToSee: (page: string) => `Log in to see “${page}”`,
  notFound: 'Page not found',
  goToTrading: 'Go to trading',
  goToOverview: 'Go to the overview',
  unreachable: 'The exchange cannot be reached. Figures may be out of date. Trying again…',
  suspended:
    'Your account is suspended. You can view your data, but you cannot make changes. ' +
    'Contact the operator.',
  notLoaded: 'This page could not be loaded',
  notLoadedWhy: 'There is no connection. This page reloads automatically once there is one.',
  reload: 'Reload',
  crashed: 'This page stopped working',
  crashedWhy:
    'Your money and orders are not affected. If it happens again, tell the operator what you did.',
};

export const shell = inLanguage({ en });
