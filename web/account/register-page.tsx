// Placeholder until this page is built.
import { Entry } from './entry.tsx';

export default function Page() {
  return (
    <Entry title="register" onSubmit={() => {}}>
      …
    </Entry>
  );
}
