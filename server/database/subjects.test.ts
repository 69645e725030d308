/** Tests that a row about a subject belongs to one application or business, for good. */
import '../start.ts';
import { expect, it } from 'vitest';
import { ROLES, unprotectedTables } from './testing/unprotected-tables.ts';
import { tables } from './table.ts';

const BUSINESS = '00000000-0000-4000-8000-00000000000b';
const database = unprotectedTables();
const owned = tables.filter(({ duties: { owner } }) => owner === 'applicationOrBusiness');
const ofSubjects = owned.map(({ name }) => name);
const erasable = new Set(owned.filter(({ columns }) => 'erasedAt' in columns).map(({ name }) => name));
const byColumns = tables.filter(({ columns }) => 'applicationId' in columns && 'businessId' in columns);

it('declares a subject as the owner of every table that has a column for each kind of subject', () => {
  expect(ofSubjects.length).toBeGreaterThan(4);
  expect(byColumns.map(({ name }) => name)).toEqual(ofSubjects);
});

it.each(ofSubjects)(
  'refuses a row of %s with two subjects, and a row with none unless it may have none',
  async (name) => {
    const mayHaveNone = owned.some(({ name: other, duties }) => other === name && duties.mayHaveNoSubject === true);
    for (const assignments of [`business_id = '${BUSINESS}'`, ...(mayHaveNone ? [] : ['application_id = NULL'])])
      await expect(database.test.sql(`UPDATE ${name} SET ${assignments}`), assignments).rejects.toMatchObject({
        code: '23514',
        constraint: `${name}_subject`,
      });
  },
);

it.each(ofSubjects)('refuses to move a row of %s to another subject, also in an erasure', async (name) => {
  for (const assignments of [
    `application_id = NULL, business_id = '${BUSINESS}'`,
    'application_id = gen_random_uuid()',
    ...(erasable.has(name) ? ['application_id = gen_random_uuid(), erased_at = now()'] : []),
  ])
    for (const role of ROLES)
      await expect(
        database.clients[role].query(`UPDATE ${name} SET ${assignments}`),
        `${role}: ${assignments}`,
      ).rejects.toMatchObject({ code: '42501' });
});

it('refuses the deletion of a live document of a business that was submitted', async () => {
  await database.test.sql(`UPDATE business SET status = 'in_review'`);
  await database.test.sql('UPDATE document SET application_id = NULL, business_id = (SELECT id FROM business LIMIT 1)');
  for (const role of ROLES)
    await expect(database.clients[role].query('DELETE FROM document')).rejects.toMatchObject({ code: '42501' });
});
