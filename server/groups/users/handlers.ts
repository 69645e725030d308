import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';

function pending(): never {
  throw new Error('being written');
}

export const users = (_services: Services) => ({
  listUsers: pending,
  inviteUser: pending,
  revokeInvitation: pending,
  getUser: pending,
  updateUser: pending,
  listUserSessions: pending,
  endUserSessions: pending,
  resetUserMfa: pending,
} satisfies HandlersOf<'users'>);
