import { type Access, lookupOf } from '../../request/lookup.ts';
import { businessLookups } from '../businesses/index.ts';
import { type DifferenceRow, findDifference } from './store.ts';

const whole = (row: DifferenceRow): DifferenceRow => row;

/** Finds the records that the operations of registries name. Whoever changes a difference locks its business. */
export const lookup = (access: Access) => ({
  ...businessLookups(access),
  difference: (businessId: string, id: string) =>
    lookupOf(access, { find: () => findDifference(access.tx, businessId, id), unerased: whole }),
});
