// A button that looks like a link, inside a text or below a form.
import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core';

export type TextButtonProps = AnchorProps & ElementProps<'button', keyof AnchorProps>;

export const TextButton = (props: TextButtonProps) => (
  <Anchor component="button" type="button" size="sm" {...props} />
);
