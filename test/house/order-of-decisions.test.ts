/** Test of how decisions are ordered in the code. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

/**
 * Statements that may order rows by the time at which a request began, because nothing important follows from the
 * order.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/modules/onboarding-checklist/evidence-store.ts ORDER BY 2, created_at': 'shows the oldest keys first',
  'server/modules/applications/record/same-tax-number-store.ts ORDER BY application.created_at':
    'shows other applications of an applicant',
  'server/modules/documents/store.ts ORDER BY created_at': 'shows documents; which of them counts is their status',
  'server/providers/mail/store.ts ORDER BY created_at': 'shows letters in the outbox',
};

/**
 * Matches an order by that time, or a comparison of two rows by it; a comparison with a parameter is a filter and
 * allowed.
 */
const BY_TIME = /ORDER BY [^`)]*?\bcreated_at\b|\bcreated_at [<>]=? [^$]/g;

it('decisions are ordered by a number that the database assigns under the lock, and never by the time at which a request began', () => {
  const found = globSync('server/**/*.ts')
    .filter((file) => /(^|-)store\.ts$/.test(basename(file)))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(BY_TIME)].map(([place]) => `${file} ${place}`));
  expect([...new Set(found)].sort()).toEqual(Object.keys(ALLOWED).sort());
});
