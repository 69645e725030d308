import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { documentLookups } from '../documents/index.ts';
import { type Business, findBusiness, lockBusiness } from './store.ts';

const whole = (found: Business): Business => found;

/** Lookups of businesses. Whoever changes what belongs to a business locks it first. */
export const businessLookups = (access: Access) => ({
  ...documentLookups(access),
  business: (id: string) => ({
    ...lookupOf(access, { find: () => findBusiness(access.tx, id), unerased: whole }),
    ...lockingLookupOf(access, { lock: () => lockBusiness(access.tx, id), unerased: whole }),
  }),
});
