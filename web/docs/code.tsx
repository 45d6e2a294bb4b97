// Code in the language that the reader chose, with the reader's own key.
import { SegmentedControl } from '@mantine/core';
import { CopyText } from '../components/copy-text.tsx';
import { useLive } from '../live/live.ts';
import { docsText } from '../messages/docs.ts';
import { isLive, keysFeed } from '../security/feeds.ts';
import { useSession } from '../session/session.ts';
import { stored } from '../session/stored.ts';
import { Colored } from './colored.tsx';
import { languages, type SampleKey, type SampleLanguage } from './samples.ts';

const t = docsText.quickstart;

/** The browser remembers the language, for all code. */
const chosen = stored(localStorage, 'agio.language');

export function useLanguage(): SampleLanguage {
  const name = chosen.use();
  return languages.find((one) => one.name === name) ?? languages[0]!;
}

export const LanguageChoice = () => (
  <SegmentedControl
    size="xs"
    aria-label={t.language}
    value={useLanguage().name}
    onChange={chosen.set}
    data={languages.map(({ name }) => name)}
  />
);

/** The newest key of the reader. Only the reader has its secret. */
export function useReaderKey(): SampleKey & { readonly isOwn: boolean } {
  const { state } = useSession();
  const { data: keys = [] } = useLive(state === 'loggedIn' ? keysFeed : null);
  const own = keys.find((key) => isLive(key, Date.now()));
  return {
    url: location.origin,
    apiKey: own?.apiKey ?? t.yourKey,
    secretKey: t.yourSecret,
    isOwn: own !== undefined,
  };
}

interface CodeProps {
  readonly name: string;
  readonly text: string;
  /** As a document names it, such as json. */
  readonly language: string;
}

export const Code = ({ name, text, language }: CodeProps) => (
  <CopyText block label={name} value={text}>
    <Colored text={text} language={language} />
  </CopyText>
);
