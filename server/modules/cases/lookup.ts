import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { businessLookups } from '../businesses/index.ts';
import { type CaseRecord, findCase, lockCase } from './store.ts';

const unerased = (record: CaseRecord): CaseRecord | 'erased' => (record.erasedAt === null ? record : 'erased');

/** Lookups of cases. A resolution, a reopening and an opening lock its subject before the case. */
export const caseLookups = (access: Access) => ({
  reviewCase: (id: string) => ({
    ...lookupOf(access, { find: () => findCase(access.tx, id), unerased }),
    ...lockingLookupOf(access, { lock: () => lockCase(access.tx, id), unerased }),
  }),
});

/** Finds the records that the operations about cases name. */
export const lookup = (access: Access) => ({
  ...caseLookups(access),
  ...applicationLookups(access),
  ...businessLookups(access),
});
