// A real browser on a real server: finds Chromium, opens pages, collects their errors, and takes
// screenshots. Without Chromium, the tests that need it are skipped with a warning.
import { test } from 'bun:test';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './waiting.ts';

const CANDIDATES = [
  process.env.AGIO_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of Chromium; null if there is none. */
export const CHROMIUM = CANDIDATES.find((path) => path !== undefined && isExecutable(path)) ?? null;

if (CHROMIUM === null) {
  console.warn('Chromium was not found (AGIO_CHROMIUM sets its path): browser tests are skipped.');
}

/** A test that needs a browser. */
export const browserTest = CHROMIUM === null ? test.skip : test;

/** One test in steps, each of which needs what the steps before it did. */
export const story = (name: string, steps: Readonly<Record<string, () => Promise<void>>>): void =>
  browserTest(name, async () => {
    for (const [step, act] of Object.entries(steps)) {
      await act().catch((error) => {
        throw new Error(`In the step "${step}": ${error}`, { cause: error });
      });
    }
  });

/** The directory of screenshots. */
const ARTIFACTS =
  process.env.AGIO_ARTIFACTS ?? join(import.meta.dir, '../../test-artifacts/screenshots');

const SIZES = {
  phone: { width: 360, height: 740 },
  /** With a finger, which enlarges fields and buttons. */
  touch: { width: 390, height: 844 },
  /** A laptop at a zoom of 200%. */
  low: { width: 683, height: 325 },
  laptop: { width: 1280, height: 800 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Size = keyof typeof SIZES;
export type Scheme = 'dark' | 'light';

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM!,
    // The sandbox of the browser needs privileges that a container does not give; it only sees our
    // own pages.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

export interface TabOptions {
  readonly url: string;
  readonly size?: Size;
  readonly scheme?: Scheme;
  /** The language of the browser, such as de-DE. */
  readonly locale?: string;
}

/** A server that is behind on a busy machine answers 503. The page tries again. */
const SERVER_BUSY = /^Failed to load resource: .* status of 503 |^WebSocket .* response code: 503/;

/** A browser window with its own cookies, and a list of its errors. */
export class Tab implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** Errors of the console and of scripts, and requests to other hosts. */
  readonly errors: string[] = [];

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context;
    this.page = page;
    this.#url = url;
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => {
      const type = message.type();
      const isWrong = (type === 'error' || type === 'warning') && !SERVER_BUSY.test(message.text());
      if (isWrong) this.errors.push(`${type}: ${message.text()} at ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.errors.push(`script: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) {
        this.errors.push(`request to another host: ${request.url()}`);
      }
    });
  }

  static async open(browser: Browser, options: TabOptions): Promise<Tab> {
    const { url, size = 'desktop', scheme = 'dark', locale = 'en-US' } = options;
    const context = await browser.newContext({
      viewport: SIZES[size],
      hasTouch: size === 'touch',
      isMobile: size === 'touch',
      colorScheme: scheme,
      locale,
      reducedMotion: 'reduce',
    });
    return new Tab(context, await context.newPage(), url);
  }

  /** Opens a page and waits for its content. */
  async visit(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
    await this.settled();
  }

  /** Waits until nothing loads. */
  async settled(): Promise<void> {
    await this.page.locator('main').waitFor();
    await this.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  }

  /** Changes the color scheme of the browser, and waits for the page to have its colors. */
  async setScheme(colorScheme: Scheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await this.page.evaluate(async () => {
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    });
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.visit('/login');
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await this.page.getByRole('button', { name: /^Account of/ }).waitFor();
  }

  /** The pixels by which the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }

  /**
   * Texts that do not fit into their fields: the value of an input, the chosen option of a select.
   */
  cutFields(): Promise<string[]> {
    return this.page.evaluate(() => {
      const pen = document.createElement('canvas').getContext('2d')!;
      const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
        'main :is(input:not([type="checkbox"], [type="radio"]), select)',
      );
      return [...fields].flatMap((field) => {
        const style = getComputedStyle(field);
        // `font` is empty where a style has no short form.
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const text =
          field instanceof HTMLSelectElement
            ? field.selectedOptions[0]!.text
            : field.value || field.placeholder;
        const padding =
          Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
        const room = field.clientWidth - padding;
        const isShown = field.checkVisibility() && field.clientWidth > 0;
        const isCut = isShown && pen.measureText(text).width > room + 1;
        return isCut ? [`“${text}” of ${field.getAttribute('aria-label') ?? field.id}`] : [];
      });
    });
  }

  /** Elements that reach out of the window, or that a panel cuts. */
  cutElements(selector: string): Promise<string[]> {
    return this.page.evaluate((wanted) => {
      const shown = [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility());
      return shown.flatMap((one) => {
        const box = one.getBoundingClientRect();
        const panel = one.closest('section')?.getBoundingClientRect();
        const right = Math.min(innerWidth, panel?.right ?? innerWidth);
        const isCut = box.left < (panel?.left ?? 0) || box.right > right;
        return isCut ? [`${one.textContent || one.tagName} ends at ${box.right}`] : [];
      });
    }, selector);
  }

  /** The paths of the pages to which the page links. */
  links(): Promise<string[]> {
    return this.page
      .locator('a[href^="/"]:not([href$=".json"])')
      .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href')!))]);
  }

  /** The findings of axe-core, by all of its rules or by these. */
  async accessibility(rules?: string[]): Promise<string[]> {
    await this.page.evaluate(axe.source);
    return this.page.evaluate(async (only) => {
      const { axe: engine } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await engine.run(
        document,
        only === undefined ? {} : { runOnly: only },
      );
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
      );
    }, rules);
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(ARTIFACTS, { recursive: true });
    await this.page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}
