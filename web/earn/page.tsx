// Placeholder until this page is built.
import { PageFrame } from '../components/page-frame.tsx';

export default function Page() {
  return <PageFrame title="earn">…</PageFrame>;
}
