// Which key presses are shortcuts: a single key, outside of fields, menus and dialogs.

const KEYS = ['b', 's', 'l', 'm', 'p', 'q', 'c', 'x', 'a', '/', '?'] as const;
export type ShortcutKey = (typeof KEYS)[number];

/** A key press; KeyboardEvent has these fields. */
export type Press = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'repeat' | 'defaultPrevented'
> & { readonly target: Pick<Element, 'closest'> | EventTarget | null };

/** Elements that use letters themselves. */
const TYPING =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], ' +
  '[role="menu"], [role="listbox"], [role="combobox"]';
const DIALOG = '[role="dialog"]';

/**
 * The shortcut of a key press, `leave` to leave a field, or null. `isOff`: the user has turned the
 * shortcuts off, except for Esc.
 */
export function keyAction(press: Press, isOff: boolean): ShortcutKey | 'leave' | null {
  const { key, ctrlKey, metaKey, altKey, isComposing, repeat, defaultPrevented } = press;
  if (ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented) return null;
  const isTyping = isWithin(press.target, TYPING);
  if (isWithin(press.target, DIALOG)) return null;
  if (key === 'Escape') return isTyping ? 'leave' : null;
  if (isTyping || isOff) return null;
  const lower = key.toLowerCase();
  return KEYS.find((known) => known === lower) ?? null;
}

const isWithin = (target: Press['target'], selector: string): boolean =>
  target !== null && 'closest' in target && target.closest(selector) !== null;
