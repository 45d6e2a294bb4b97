// The documents of operators, and the reference of their calls.

import { lazy, Suspense } from 'react';
import { Loading, PageFrame } from '../components/layout.tsx';
import { Document } from '../docs/document.tsx';
import { operatorDocuments } from '../docs/documents.ts';
import { Cards } from '../docs/landing.tsx';
import { docsText } from '../messages/docs.ts';
import { operatorText as text } from '../messages/operator.ts';
import { NotFound } from '../shell/notices.tsx';
import { pageCode } from '../shell/page-code.ts';
import { SubNav } from './parts/marks.tsx';

/** Includes all schemas. */
const Reference = lazy(pageCode(() => import('../docs/reference/page.tsx')));

const entries = [...operatorDocuments, { slug: 'api', ...docsText.documents.api }].map(
  ({ slug, title, what }) => ({ href: `/operator/docs/${slug}`, title, what }),
);

export function OperatorDocs({ rest }: { readonly rest: string }) {
  const document = operatorDocuments.find(({ slug }) => slug === rest);
  return (
    <PageFrame title={text.docs}>
      {rest === '' ? null : (
        <SubNav
          label={docsText.documentList}
          items={entries.map(({ href: path, title }) => ({ path, title }))}
        />
      )}
      {rest === '' ? (
        <Cards documents={entries} />
      ) : rest === 'api' ? (
        <Suspense fallback={<Loading rows={16} />}>
          <Reference ofOperators />
        </Suspense>
      ) : document === undefined ? (
        <NotFound />
      ) : (
        <Document key={rest} document={document} />
      )}
    </PageFrame>
  );
}
