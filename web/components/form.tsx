// A form whose Enter key and submit button call `onSubmit`; the browser sends nothing.
import type { ReactNode } from 'react';

export interface FormProps {
  readonly onSubmit: () => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export const Form = ({ onSubmit, className, children }: FormProps) => (
  <form
    noValidate
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
