// Texts, notes, links and buttons in the looks that several pages share.
import {
  Alert,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Loader,
  Text,
  type TextProps,
} from '@mantine/core';
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';

type NoteProps = TextProps & ElementProps<'p', keyof TextProps>;

/** A quiet sentence. */
export const Dim = (props: NoteProps) => <Text size="sm" className="dim" {...props} />;

/** A quiet sentence in small letters, such as one below a table. */
export const Fine = (props: NoteProps) => <Dim size="xs" {...props} />;

interface CautionProps {
  readonly role?: 'status' | 'alert';
  readonly children: ReactNode;
}

/** A notice that is no error. */
export const Caution = (props: CautionProps) => (
  <Alert color="yellow" variant="light" p="xs" {...props} />
);

export type TextButtonProps = AnchorProps & ElementProps<'button', keyof AnchorProps>;

/** A button that looks like a link, inside a text or below a form. */
export const TextButton = (props: TextButtonProps) => (
  <Anchor component="button" type="button" size="sm" {...props} />
);

interface Target {
  readonly href: string;
}

export const TextLink = (props: AnchorProps & ElementProps<'a', keyof AnchorProps> & Target) => (
  <Anchor component={Link} size="sm" {...props} />
);

type LinkButtonProps = ButtonProps & ElementProps<'a', keyof ButtonProps> & Target;

/** A link that looks like a button. */
export const LinkButton = (props: LinkButtonProps) => <Button component={Link} {...props} />;

type PlainButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>;

/** A button that is not the main one. */
export const PlainButton = (props: PlainButtonProps) => <Button variant="default" {...props} />;

interface SteadyButtonProps
  extends Omit<ButtonProps, 'disabled' | 'loading' | 'leftSection'>,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'disabled'> {
  /** Cannot be pressed. */
  readonly off?: boolean;
  /** Its action is running. */
  readonly pending?: boolean;
}

/**
 * Keeps the focus while it is off. A disabled button would lose it to the page, and a keyboard user
 * would start again at the top.
 */
export function SteadyButton(props: SteadyButtonProps) {
  const { off = false, pending = false, onClick, children, ...rest } = props;
  const isOff = off || pending;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // For a submit button this also stops the Enter key in a field.
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Button
      {...rest}
      onClick={click}
      aria-disabled={isOff}
      aria-busy={pending}
      {...(isOff ? { 'data-disabled': true } : {})}
      leftSection={pending ? <Loader size={12} color="currentColor" aria-hidden /> : undefined}
    >
      {children}
    </Button>
  );
}
