// The styles of the component library, for the components that the pages use. The bundler does not
// process them: it would double them with selectors for the writing direction of 19 languages.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ALL = Bun.resolveSync('@mantine/core/styles.css', import.meta.dir);
const NOTIFICATIONS = Bun.resolveSync('@mantine/notifications/styles.css', import.meta.dir);
/** Each component with styles has a module of class names, which is named as the styles are. */
const CLASS_NAMES = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/;
const COMPONENT = /^[A-Z]\w*\.css$/;

/** The styles for a bundle of these modules, in the order that the library needs. */
export function libraryStyles(modules: readonly string[]): string {
  const used = new Set(modules.map((path) => CLASS_NAMES.exec(path)?.[1]));
  const folder = join(dirname(ALL), 'styles');
  let style = readFileSync(ALL, 'utf8');
  for (const name of readdirSync(folder)) {
    if (!COMPONENT.test(name) || used.has(name.slice(0, -'.css'.length))) continue;
    style = style.replace(readFileSync(join(folder, name), 'utf8').trim(), '');
  }
  return (style + readFileSync(NOTIFICATIONS, 'utf8'))
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, ' ');
}
