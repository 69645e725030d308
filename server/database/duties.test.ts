import '../start.ts';
import { describe, expect, it } from 'vitest';
import { type Columns, type Table, tables } from './table.ts';

/** Kinds of columns in which somebody can write. */
const WRITTEN = ['text', 'text[]', 'jsonb', 'bytea'];

/** Tables of applicants, and of whoever was screened, who can be erased. */
const ofPersons = tables.filter(({ duties: { owner } }) => owner === 'application' || owner === 'screening');

/** What is missing of a column that may be about a person; null where nothing is. */
function missingOf({ duties: { owner }, columns }: Table<Columns>, member: string): string | null {
  const { type, traits: { impersonal, sealed, unsealed, erasedTo } } = columns[member]!;
  if (!WRITTEN.includes(type) || impersonal !== null) return null;
  if (sealed === null && unsealed === null) return 'is neither sealed nor impersonal, and does not say why';
  // Where the whole document is sealed, or all rows of the subject, the key that is destroyed is enough.
  const isGoneWithKey = sealed === true && (type === 'jsonb' || owner === 'screening');
  return erasedTo === null && !isGoneWithKey ? 'does not say what an erasure leaves of it' : null;
}

describe('what is kept of persons', () => {
  it('is sealed and erased, or says why not, in every column in which somebody can write', () => {
    expect(ofPersons.length).toBeGreaterThan(10);
    const missing = ofPersons.flatMap((table) => table.members.flatMap((member) => {
      const complaint = missingOf(table, member);
      return complaint === null ? [] : [`${table.name}.${member} ${complaint}`];
    }));
    expect(missing).toEqual([]);
  });

  it('is found by its owner, wherever an erasure empties something of it', () => {
    const emptied = ofPersons.filter((table) => table.erasure(new Date(0)) !== null);
    expect(emptied.length).toBeGreaterThan(5);
    expect(emptied.filter(({ name, duties: { owner }, columns }) => owner !== 'application' || (name !== 'application' && !('applicationId' in columns))).map(({ name }) => name)).toEqual([]);
  });
});
