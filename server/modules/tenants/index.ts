/**
 * Tenants, as the staff of the platform administer them. Staff create tenants, change their terms and suspend or close
 * them; closing takes two administrators and is refused while the law requires the tenant to retain records. Every
 * action of staff is recorded in the platform's audit chain and in the tenant's, so that the tenant sees it without
 * asking.
 *
 * The module may use api-keys, applications and members (for usage), invitations and tenant-settings, and knows of
 * list-uploads which operations of its tag are handled there.
 *
 * `POST /v1/admin/tenants`: `createTenantWithOwner` creates the tenant in onboarding and its settings, invites the
 * owner, and queues the mail with the invitation in the same transaction; `usageOf` then counts the usage of the quotas
 * for the response.
 */
import type { Module } from '../../tasks/module.ts';
import { tenantHandlers } from './handlers.ts';

export const tenantsModule = { name: 'tenants', handlers: tenantHandlers } satisfies Module<never>;
