// Text to be taken elsewhere: a key, a secret, a request.
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import styles from './copy-text.module.css';

export interface CopyTextProps {
  readonly value: string;
  /** What it is, for who cannot see it: "API key". */
  readonly label: string;
  /** Keeps line breaks. */
  readonly block?: boolean;
}

export function CopyText({ value, label, block = false }: CopyTextProps) {
  return (
    <div className={styles.frame}>
      {block ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <pre className={styles.block} tabIndex={0}>
          {value}
        </pre>
      ) : (
        <code className={styles.line}>{value}</code>
      )}
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon variant="subtle" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
