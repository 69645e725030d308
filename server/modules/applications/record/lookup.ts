/**
 * Finds an application that a request names, within tenant, environment and visibility, and locks it for a change. Used
 * by all operations on applications. Answers 404 for what the caller must not see and 410 for what is erased. Nothing
 * else may read an application for a request.
 */
import { type Access, lockingLookupOf, lookupOf } from '../../../request/lookup.ts';
import { documentLookups } from '../../documents/index.ts';
import type { ApplicationRecord } from './application.ts';
import { findApplication, type FoundApplication, lockApplication } from './store.ts';

/** Lookups of applications. Whoever changes what belongs to an application locks the application. */
export const applicationLookups = (access: Access) => ({
  application: (id: string) => {
    const key = { tenantId: access.tx.tenantId!, id };
    return {
      ...lookupOf(access, { find: () => findApplication(access.tx, key), unerased }),
      ...lockingLookupOf(access, { lock: () => lockApplication(access.tx, key), unerased }),
    };
  },
});

function unerased({ erasedAt, ...record }: FoundApplication): ApplicationRecord | 'erased' {
  return erasedAt === null ? record : 'erased';
}

/** Finds the records that the operations about applications name. */
export const lookup = (access: Access) => ({ ...applicationLookups(access), ...documentLookups(access) });
