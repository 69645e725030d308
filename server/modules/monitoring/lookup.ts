import type { Access } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { subscriptionLookups } from '../subscriptions/index.ts';

/** Finds the records that the operations of monitoring name. */
export const lookup = (access: Access) => ({ ...applicationLookups(access), ...subscriptionLookups(access) });
