import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { documentLookups } from '../documents/index.ts';
import { type Business, findBusiness, type FoundBusiness, lockBusiness } from './store.ts';

function unerased({ erasedAt, ...record }: FoundBusiness): Business | 'erased' {
  return erasedAt === null ? record : 'erased';
}

/** Lookups of businesses. Whoever changes what belongs to a business locks it first. */
export const businessLookups = (access: Access) => ({
  ...documentLookups(access),
  business: (id: string) => ({
    ...lookupOf(access, { find: () => findBusiness(access.tx, id), unerased }),
    ...lockingLookupOf(access, { lock: () => lockBusiness(access.tx, id), unerased }),
  }),
});
