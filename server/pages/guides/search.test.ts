import { describe, expect, it } from 'vitest';
import { renderGuide } from './render.ts';
import { marked, search, wordsOf } from './search.ts';

const names = new Set<string>();
const guides = [
  renderGuide('pages', '# Pagination\n\nA list ends.\n\n## Cursors\n\nA cursor is `opaque` and signed: é.', names),
  renderGuide('errors', `# Errors\n\nA cursor may be refused. ${'Much more is said about other things here. '.repeat(20)}At last it is opaque.`, names),
];
const found = (query: string) => search(guides, query).map(({ guide, section }) => `${guide.name}#${section.id}`);

describe('The search in the guides', () => {
  it('finds the sections that have every word, those with the word in a heading first', () => {
    expect(found('cursor')).toEqual(['pages#cursors', 'errors#']);
    expect(found('OPAQUE cursor')).toEqual(['pages#cursors', 'errors#']);
    expect(found('opaque pagination')).toEqual(['pages#cursors']);
    expect(found('nowhere cursor')).toEqual([]);
  });

  it('finds nothing without a word', () => {
    for (const query of ['', '  ', '***']) expect(found(query)).toEqual([]);
  });

  it('minds neither case nor accents, and takes signs for spaces', () => {
    expect(found('E')).toContain('pages#cursors');
    expect(wordsOf('Café, "x_y"')).toEqual(['cafe', 'x_y']);
  });

  it('shows what stands around a word, cut at words', () => {
    const { excerpt } = search(guides, 'last opaque').at(-1)!;
    expect(excerpt).toMatch(/^… \w.* At last it is opaque\.$/);
    expect(excerpt.length).toBeLessThan(260);
  });

  it('marks the words where they stand, whatever stands before them', () => {
    expect(marked('An 𝔸 Émile, emile', ['emile'])).toEqual(['An 𝔸 ', 'Émile', ', ', 'emile', '']);
  });
});
