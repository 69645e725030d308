/**
 * Lookups of subscriptions and alerts, within tenant, environment and visibility. Exported by the index and used by the
 * operations of monitoring.
 */
import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { type Alert, lockAlert } from './alert-store.ts';
import { findSubscription, lockSubscription, type Subscription } from './store.ts';

/** Lookups of subscriptions and alerts. Both survive the erasure of their application, without its data. */
export const subscriptionLookups = (access: Access) => ({
  subscription: (id: string) => {
    const unerased = (subscription: Subscription): Subscription => subscription;
    return {
      ...lookupOf(access, { find: () => findSubscription(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockSubscription(access.tx, id), unerased }),
    };
  },

  alert: (id: string) =>
    lockingLookupOf(access, {
      lock: () => lockAlert(access.tx, id),
      unerased: (alert: Alert): Alert => alert,
    }),
});
