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
