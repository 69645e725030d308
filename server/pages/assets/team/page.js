/** @import { Workspace } from '../app/workspace.js' */
/** @import { Filter } from './api.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { filterRow } from '../app/filters.js';
import { pagedList } from '../app/paged-list.js';
import { ROLES } from '../app/roles.js';
import { actionsOn } from './actions.js';
import { Api } from './api.js';
import { inviteUser } from './invite.js';
import { userCard } from './user-card.js';

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
      workspace.may('inviteUser') && el('button', { type: 'button', class: 'button primary', onclick: () => inviteUser(api, workspace, changed) }, 'Invite somebody')),
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
