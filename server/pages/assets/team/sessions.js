/** @import { Hands } from './actions.js' */
/** @import { User } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { sessionList } from '../app/session-list.js';
import { endUserSessions } from '../app/sessions-api.js';

/**
 * @param {User} user
 * @param {Hands} hands
 */
export function showSessions(user, { workspace, changed }) {
  const who = user.name || user.email;
  const own = user.id === workspace.current.user.id;
  openDialog(`Sessions of ${who}`, (close) => [
    sessionList(workspace.session, user.id).element,
    workspace.may('endUserSessions') && !own ? apiForm({
      action: 'End all',
      danger: true,
      cancel: close,
      submit: async () => {
        await endUserSessions(workspace.session, user.id, null);
        close();
        changed(`All sessions of ${who} have ended.`, user.id);
      },
    }) : el('div', {}),
  ]);
}
