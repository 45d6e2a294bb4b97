// Key presses that are shortcuts, and those that belong to a field, a dialog or the browser.
import { expect, test } from 'bun:test';
import { keyAction, type Press } from './shortcut-keys.ts';

/** An element within others, by their selectors as the page asks for them. */
const within = (...parts: string[]) => ({
  closest: (selector: string) => (parts.some((part) => selector.includes(part)) ? {} : null),
});

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ...{ ctrlKey: false, metaKey: false, altKey: false },
  ...{ isComposing: false, repeat: false, defaultPrevented: false },
  target: within() as unknown as Element,
  ...more,
});

test.each(['b', 's', 'l', 'm', 'p', 'q', 'c', 'x', 'a', '/', '?'] as const)(
  '%p is a shortcut',
  (key) => {
    expect(keyAction(press(key), false)).toBe(key);
    expect(keyAction(press(key), true)).toBeNull();
  },
);

test('a capital letter is the same key', () => {
  expect(keyAction(press('B'), false)).toBe('b');
});

test.each<[string, Partial<Press>]>([
  ['a field', { target: within('textarea') as unknown as Element }],
  ['an open menu', { target: within('[role="menu"]') as unknown as Element }],
  ['a dialog', { target: within('[role="dialog"]') as unknown as Element }],
  ['Ctrl', { ctrlKey: true }],
  ['Cmd', { metaKey: true }],
  ['Alt', { altKey: true }],
  ['a composed character', { isComposing: true }],
  ['a key that is held', { repeat: true }],
  ['a key that something else has handled', { defaultPrevented: true }],
])('not with %s', (_, more) => {
  expect(keyAction(press('b', more), false)).toBeNull();
});

test('Esc leaves a field, but not one in a dialog', () => {
  const field = within('textarea') as unknown as Element;
  const inDialog = within('textarea', '[role="dialog"]') as unknown as Element;
  expect(keyAction(press('Escape', { target: field }), true)).toBe('leave');
  expect(keyAction(press('Escape', { target: inDialog }), false)).toBeNull();
  expect(keyAction(press('Escape'), false)).toBeNull();
});

test('other keys do nothing', () => {
  for (const key of ['z', '1', 'Enter', 'F1', 'ArrowUp']) {
    expect(keyAction(press(key), false)).toBeNull();
  }
});
