/** @import { Action } from '../app/card.js' */
/** @import { User } from './api.js' */
import { el } from '../dom.js';
import { fact, recordCard } from '../app/card.js';
import { calendarDate, relativeTime } from '../app/time.js';
import { roleTitle } from '../app/roles.js';

/**
 * @param {User} user
 * @param {string} ownId
 * @param {Action[]} actions
 */
export function userCard(user, ownId, actions) {
  const { id, name, email, role, status, mfaEnabled, lastLoginAt, activeSessions, openCases, invitation, createdAt } = user;
  return el('li', {}, recordCard({
    id: `user-${id}`,
    title: name || email,
    badges: [['', roleTitle(role)], [status, statusWord(status)]],
    subtitle: id === ownId ? `${email} (you)` : email,
    facts: invitation === null
      ? [
          fact('Second factor', mfaEnabled ? 'On' : 'Off'),
          fact('Last sign-in', lastLoginAt === null ? 'Never' : relativeTime(lastLoginAt)),
          fact('Open sessions', String(activeSessions)),
          openCases > 0 && fact('Open cases', String(openCases)),
          fact('Member since', calendarDate(createdAt)),
        ]
      : [
          fact('Invited', relativeTime(invitation.sentAt), ` by ${invitation.invitedBy.display ?? invitation.invitedBy.type}`),
          fact('The link works until', calendarDate(invitation.expiresAt)),
        ],
    actions,
  }));
}

/** @param {string} status */
function statusWord(status) {
  return { active: 'Active', invited: 'Invited', locked: 'Locked', deactivated: 'Deactivated' }[status] ?? status;
}
