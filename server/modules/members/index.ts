/**
 * Members: the people of a tenant, as its administrators see them.
 *
 * The account belongs to the person; a tenant may change role, display name and status of the membership, invite,
 * deactivate, and reset a second factor. Only owners change owners, one owner always remains, and no user changes
 * themselves. The staff of the platform are members of the platform's tenant and are managed by a command, not by
 * an operation (`platform-administrators.ts`). It may use accounts, api-keys, invitations, login-throttle,
 * sessions, subject-events and tenant-settings.
 *
 * `PATCH /v1/users/{id}`: `patchUser` locks the tenant's row (seats are counted under it), finds the member, compares
 * `If-Match`, decides by `statusChange` what the patch means, ends sessions and invitations of a deactivated person,
 * and updates the membership. The handler names the audit events and deletes the process's cache entries about the
 * person.
 */
import type { Module } from '../../tasks/module.ts';
import { memberHandlers } from './handlers.ts';

export {
  addAdministrator,
  type CommandLineContext,
  removeAdministrator,
  resetAdministrator,
} from './platform-administrators.ts';
export { countSeatsTaken } from './seat-store.ts';

export const membersModule = { name: 'members', handlers: memberHandlers } satisfies Module<never>;
