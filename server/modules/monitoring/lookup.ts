/**
 * The lookups that the operations of this module use: applications, businesses, subscriptions and alerts. Every record
 * that a request names must be found through them, because they check tenant, environment and visibility.
 */
import type { Access } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { businessLookups } from '../businesses/index.ts';
import { subscriptionLookups } from '../subscriptions/index.ts';

/** Finds the records that the operations of monitoring name. */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),
  ...businessLookups(access),
  ...subscriptionLookups(access),
});
