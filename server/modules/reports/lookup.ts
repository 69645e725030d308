/**
 * The lookups that the operations on reports use: reports, and the case that one is begun about, and its applicant or
 * business. Every record that a request names must be found through them, because they check tenant, environment and
 * visibility.
 */
import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { businessLookups } from '../businesses/index.ts';
import { caseLookups } from '../cases/index.ts';
import { findReport, lockReport, type ReportRecord } from './store.ts';

/** Reports are kept when their case and its applicant are erased. */
const kept = (record: ReportRecord): ReportRecord => record;

/** Finds the records that the operations about reports name. */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),
  ...businessLookups(access),
  ...caseLookups(access),
  report: (id: string) => ({
    ...lookupOf(access, { find: () => findReport(access.tx, id), unerased: kept }),
    ...lockingLookupOf(access, { lock: () => lockReport(access.tx, id), unerased: kept }),
  }),
});
