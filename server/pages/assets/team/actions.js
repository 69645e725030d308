/** @import { Action } from '../app/card.js' */
/** @import { Workspace } from '../app/workspace.js' */
/** @import { Api, User } from './api.js' */
import { offered } from '../app/card.js';
import { sendAgain } from './invite.js';
import { changeRole } from './change-role.js';
import { activate, deactivate, revoke, unlock } from './confirm.js';
import { resetFactor } from './reset-factor.js';
import { showSessions } from './sessions.js';

/**
 * @typedef {object} Hands
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, id: string | null) => void} changed
 */

/**
 * What the signed-in user may do about somebody. Nobody changes their own role, status or second factor here, and only
 * owners change owners.
 * @param {User} user
 * @param {Hands} hands
 * @returns {Action[]}
 */
export function actionsOn(user, hands) {
  const { workspace } = hands;
  const { current } = workspace;
  const above = user.role === 'owner' && current.user.role !== 'owner';
  const sessions = workspace.may('listUserSessions') && user.activeSessions > 0 && { label: 'Sessions', run: () => showSessions(user, hands) };
  if (above || user.id === current.user.id) return offered([sessions]);
  const update = workspace.may('updateUser');
  if (user.status === 'invited') {
    return offered([
      workspace.may('inviteUser') && { label: 'Send again', run: () => sendAgain(user, hands) },
      update && { label: 'Role', run: () => changeRole(user, hands) },
      workspace.may('revokeInvitation') && { label: 'Revoke', danger: true, run: () => revoke(user, hands) },
    ]);
  }
  if (user.status === 'deactivated') return offered([update && { label: 'Reactivate', run: () => activate(user, hands) }]);
  return offered([
    update && user.status === 'locked' && { label: 'Unlock', run: () => unlock(user, hands) },
    update && { label: 'Role', run: () => changeRole(user, hands) },
    sessions,
    workspace.may('resetUserMfa') && user.mfaEnabled && { label: 'Reset second factor', run: () => resetFactor(user, hands) },
    update && { label: 'Deactivate', danger: true, run: () => deactivate(user, hands) },
  ]);
}
