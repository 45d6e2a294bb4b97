// A button that keeps the focus while it is off. A disabled button would lose it to the page, and a
// keyboard user would start again at the top.
import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentPropsWithoutRef, MouseEvent } from 'react';

export interface SteadyButtonProps
  extends Omit<ButtonProps, 'disabled' | 'loading' | 'leftSection'>,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'disabled'> {
  /** Cannot be pressed. */
  readonly off?: boolean;
  /** Its action is running. */
  readonly pending?: boolean;
}

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
