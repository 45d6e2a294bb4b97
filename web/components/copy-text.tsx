// Text to take out of the page: with a copy button, or as a file.
import { ActionIcon, CopyButton, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { common as t } from '../messages/common.ts';
import styles from './copy-text.module.css';

export interface CopyTextProps {
  readonly value: string;
  /** Its name for screen readers, such as "API key". */
  readonly label: string;
  /** Keeps line breaks. */
  readonly block?: boolean;
  /** Shows the value, such as code with colors. */
  readonly children?: ReactNode;
}

export function CopyText({ value, label, block = false, children = value }: CopyTextProps) {
  return (
    <div className={styles.frame}>
      {block ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
        <pre className={styles.block} tabIndex={0}>
          {children}
        </pre>
      ) : (
        <code className={styles.line}>{children}</code>
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

interface NamedTextProps {
  readonly name: string;
  readonly value: string;
  /** The name unless given. */
  readonly label?: string;
}

/** A text with its name above it. */
export const NamedText = ({ name, value, label = name }: NamedTextProps) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {name}
    </Text>
    <CopyText value={value} label={label} />
  </div>
);

/** Saves a text as a file. `type` is a media type such as text/csv. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A download that has started no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
