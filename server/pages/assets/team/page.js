/** This module is the team page, which lists the members of a tenant. */
import { announce, fact, recordCard } from '../app/components.js';
import { calendarDate, relativeTime, ROLES, roleTitle } from '../app/format.js';
import { filterRow, pagedList } from '../app/list.js';
import { el } from '../dom.js';
import { actionsOn, createInvitation } from './actions.js';
import { Api } from './api.js';
/** @import { Action } from '../app/components.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Filter, User } from './api.js' */

/**
 * @param {User} user
 * @param {string} ownId
 * @param {Action[]} actions
 */
function userCard(user, ownId, actions) {
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

/** The people of the tenant. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const heading = el('h2', { id: 'people-heading', tabindex: '-1' }, 'People');
  const filters = filterRow([
    { name: 'q', label: 'Name or e-mail', placeholder: 'Part of it' },
    { name: 'role', label: 'Role', choices: [['', 'Any role'], ...ROLES.map(([role, name]) => /** @type {const} */ ([role, name]))] },
    { name: 'status', label: 'Status', choices: [['', 'Any status'], ['active', 'Active'], ['invited', 'Invited'], ['locked', 'Locked'], ['deactivated', 'Deactivated']] },
    { name: 'mfaEnabled', label: 'Second factor', choices: [['', 'With or without'], ['true', 'With'], ['false', 'Without']] },
    { name: 'sort', label: 'Order', choices: [['name', 'By name'], ['-createdAt', 'Newest first'], ['-lastLoginAt', 'Last sign-in first']] },
  ], () => load());
  const { element, load } = pagedList({
    list: el('ul', { class: 'records' }),
    read: (cursor) => api.listUsers(/** @type {Filter} */ (filters.values()), cursor),
    item: (user) => userCard(user, workspace.current.user.id, actionsOn(user, { api, workspace, changed })),
    empty: () => 'Nobody fits.',
  });
  load();
  return el('section', { class: 'record-list', 'aria-labelledby': 'people-heading' },
    el('header', { class: 'section-header' }, heading,
      workspace.may('createInvitation') && el('button', { type: 'button', class: 'button primary', onclick: () => createInvitation(api, workspace, changed) }, 'Invite somebody')),
    filters.element, element);

  /**
   * Reads the list again, and leaves the focus where the user was working.
   * @param {string} words
   * @param {string | null} id
   */
  async function changed(words, id) {
    await load();
    (document.getElementById(`user-${id}`) ?? heading).focus();
    announce(words);
  }
}
