/**
 * Lookups of subscriptions and alerts, within tenant, environment and visibility. Exported by the index and used by the
 * operations of monitoring.
 */
import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { type Alert, findAlert, lockAlert } from './alert-store.ts';
import { findSubscription, lockSubscription, type Subscription } from './store.ts';

/** Lookups of subscriptions and alerts. Both survive the erasure of their subject, without its data. */
export const subscriptionLookups = (access: Access) => ({
  subscription: (id: string) => {
    const unerased = (subscription: Subscription): Subscription => subscription;
    return {
      ...lookupOf(access, { find: () => findSubscription(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockSubscription(access.tx, id), unerased }),
    };
  },

  /** For a request that locks the subject of an alert before the alert. */
  alertWithoutLock: (id: string) =>
    lookupOf(access, {
      find: () => findAlert(access.tx, id),
      unerased: (alert: Pick<Alert, 'environment' | 'applicationId' | 'businessId' | 'status'>) => alert,
    }),

  alert: (id: string) =>
    lockingLookupOf(access, {
      lock: () => lockAlert(access.tx, id),
      unerased: (alert: Alert): Alert => alert,
    }),
});
