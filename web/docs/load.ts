// Loads each document when a user opens it; a search loads all of them, once.
import type { Feed } from '../live/live.ts';
import { type DocumentInfo, documents, pageOfPath } from './documents.ts';
import { type Prepared, prepare } from './html.ts';
import { type Section, sectionsOf } from './search.ts';

export const documentFeed = ({ slug, path, load }: DocumentInfo): Feed<Prepared> => ({
  key: ['docs', slug],
  every: null,
  read: async () => prepare((await load()).default, path, pageOfPath),
});

export const sectionsFeed: Feed<readonly Section[]> = {
  key: ['docs', 'all sections'],
  every: null,
  read: async () => {
    const loaded = await Promise.all(
      documents.map(async ({ slug, title, load }) => {
        const { default: html } = await load();
        return sectionsOf(slug, title, html);
      }),
    );
    return loaded.flat();
  },
};
