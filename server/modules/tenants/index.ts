/**
 * Tenants, as the staff of the platform administer them.
 *
 * Staff open tenants, change their terms and suspend or close them; closing takes two administrators and is refused while
 * the law makes the tenant keep records. Whatever staff do is written into the platform's audit chain and into the tenant's,
 * which must not have to ask. It may use api-keys, applications and members (for usage), invitations and tenant-settings, and
 * knows of list-uploads which operations of its tag are handled there.
 *
 * `POST /v1/admin/tenants`: `createTenantWithOwner` creates the tenant in onboarding and its settings, invites the owner, and
 * queues the mail with the invitation in the same transaction; `usageOf` then counts for the answer what the quotas bound.
 */
import type { Module } from '../../tasks/module.ts';
import { tenantHandlers } from './handlers.ts';

export const tenantsModule = { name: 'tenants', handlers: tenantHandlers } satisfies Module<never>;
