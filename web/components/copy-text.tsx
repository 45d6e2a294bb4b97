// Text with a copy button: a key, a secret, a request.
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { common as t } from '../messages/common.ts';
import styles from './copy-text.module.css';

export interface CopyTextProps {
  readonly value: string;
  /** Its name for screen readers, such as "API key". */
  readonly label: string;
  /** Keeps line breaks. */
  readonly block?: boolean;
}

export function CopyText({ value, label, block = false }: CopyTextProps) {
  return (
    <div className={styles.frame}>
      {block ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
        <pre className={styles.block} tabIndex={0}>
          {value}
        </pre>
      ) : (
        <code className={styles.line}>{value}</code>
      )}
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t.copied : t.copy}>
            <ActionIcon variant="subtle" onClick={copy} aria-label={t.copyThe(label)}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
