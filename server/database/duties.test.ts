/** Tests of the declared duties of columns with personal data. */
import '../start.ts';
import { describe, expect, it } from 'vitest';
import type { Columns } from './duties.ts';
import { type Table, tables } from './table.ts';

/** Types of columns that can contain text written by a person. */
const WRITTEN = ['text', 'text[]', 'jsonb', 'bytea'];

/** Tables about applicants, businesses and screened persons, who can be erased. */
const ofPersons = tables.filter(({ duties: { owner } }) =>
  ['application', 'business', 'applicationOrBusiness', 'screening'].includes(owner),
);

/** Returns the missing declaration of a column that may be about a person, or null if it is complete. */
function missingOf({ duties: { owner }, columns }: Table<Columns>, member: string): string | null {
  const {
    type,
    traits: { impersonal, sealed, unsealed, erasedTo },
  } = columns[member]!;
  if (!WRITTEN.includes(type) || impersonal !== null) return null;
  if (sealed === null && unsealed === null) return 'is neither sealed nor impersonal, and does not say why';
  // If the whole document or all rows of the subject are sealed, destroying the key is enough.
  const isGoneWithKey = sealed === true && (type === 'jsonb' || owner === 'screening');
  return erasedTo === null && !isGoneWithKey ? 'does not say what an erasure leaves of it' : null;
}

describe('stored personal data', () => {
  it('is sealed and erased, or declared as an exception, in every column that a person can write to', () => {
    expect(ofPersons.length).toBeGreaterThan(10);
    const missing = ofPersons.flatMap((table) =>
      table.members.flatMap((member) => {
        const complaint = missingOf(table, member);
        return complaint === null ? [] : [`${table.name}.${member} ${complaint}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('can be found by its owner in every table that an erasure empties', () => {
    const emptied = ofPersons.filter((table) => table.erasure(new Date(0)) !== null);
    expect(emptied.length).toBeGreaterThan(5);
    expect(
      emptied
        .filter(
          ({ name, duties: { owner }, columns }) =>
            owner === 'screening' ||
            (name !== owner && !((owner === 'business' ? 'businessId' : 'applicationId') in columns)),
        )
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('belongs to a person in every table that names an application, so that an erasure finds it', () => {
    const named = tables.filter(({ columns }) => 'applicationId' in columns);
    expect(named.length).toBeGreaterThan(10);
    expect(
      named
        .filter((table) => !ofPersons.includes(table))
        .map(({ name, duties: { owner } }) => `${name} belongs to ${owner}`),
    ).toEqual([]);
  });
});
