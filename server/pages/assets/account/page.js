/** @import { Workspace } from '../app/workspace.js' */
import { el } from '../dom.js';
import { sessionList } from '../app/session-list.js';
import { Api } from './api.js';
import { factorCard } from './factor.js';
import { passwordCard } from './password.js';

/** What people manage for themselves. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const { current: { user, mfaEnrolmentRequired } } = workspace;
  if (mfaEnrolmentRequired) return el('div', { class: 'page narrow' }, factorCard(api, workspace));
  const sessions = sessionList(workspace.session, user.id);
  return el('div', { class: 'page narrow' },
    factorCard(api, workspace),
    passwordCard(api, workspace, sessions.load),
    el('section', { class: 'card stack', 'aria-labelledby': 'sessions-heading' },
      el('h2', { id: 'sessions-heading' }, 'Where you are signed in'),
      sessions.element));
}
