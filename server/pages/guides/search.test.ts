/** Tests of the search in guides and reference. */
import { describe, expect, it } from 'vitest';
import { renderGuide } from './render.ts';
import { marked, searchTargets, search, wordsOf } from './search.ts';

const names = new Set<string>();
const guides = [
  renderGuide('pages', '# Pagination\n\nA list ends.\n\n## Cursors\n\nA cursor is `opaque` and signed: é.', names),
  renderGuide(
    'errors',
    '# Errors\n\n' +
      `A cursor may be refused. ${'Much more is said about other things here. '.repeat(20)}At last it is opaque.`,
    names,
  ),
];
const operations = { listCases: { summary: 'List cases', method: 'get', path: '/v1/cases' } };
const targets = searchTargets(guides, { operations, problems: {} });
const found = (query: string) =>
  search(targets, query)
    .map(({ target }) => target.href)
    .filter((href) => href.startsWith('/guides'));

describe('The search in the guides', () => {
  it('finds the sections that have every word, those with the word in a heading first', () => {
    expect(found('cursor')).toEqual(['/guides/pages#cursors', '/guides/errors']);
    expect(found('OPAQUE cursor')).toEqual(['/guides/pages#cursors', '/guides/errors']);
    expect(found('opaque pagination')).toEqual(['/guides/pages#cursors']);
    expect(found('nowhere cursor')).toEqual([]);
  });

  it('finds words and not parts of words, in the singular and in the plural', () => {
    expect(found('pag')).toEqual([]);
    expect(found('paque')).toEqual([]);
    expect(found('cursors')).toEqual(found('cursor'));
    expect(marked('known as their own', wordsOf('own'))).toEqual(['known as their ', 'own', '']);
  });

  it('finds error codes and operations of the reference too', () => {
    const all = (query: string) => search(targets, query).map(({ target }) => target.href);
    expect(all('invalid_cursor')).toContain('/problems/invalid_cursor');
    expect(all('cases')).toContain('/reference#operation/listCases');
    expect(search(searchTargets(guides, null), 'cases').map(({ target }) => target.href)).not.toContain(
      '/reference#operation/listCases',
    );
  });

  it('finds nothing without a word', () => {
    for (const query of ['', '  ', '***']) expect(found(query)).toEqual([]);
  });

  it('ignores case and accents, and treats signs as spaces', () => {
    expect(found('E')).toContain('/guides/pages#cursors');
    expect(wordsOf('Café, "x_y"')).toEqual(['cafe', 'x_y']);
  });

  it('shows the text around a word, cut at words', () => {
    const { excerpt } = search(targets, 'last opaque').at(-1)!;
    expect(excerpt).toMatch(/^… \w.* At last it is opaque\.$/);
    expect(excerpt.length).toBeLessThan(260);
  });

  it('marks the words at their positions, whatever precedes them', () => {
    expect(marked('An 𝔸 Émile, emile', ['emile'])).toEqual(['An 𝔸 ', 'Émile', ', ', 'emile', '']);
  });
});
