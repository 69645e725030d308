/** @import { Workspace } from '../app/workspace.js' */
import { el, fill } from '../dom.js';
import { announce } from '../app/announce.js';
import { showFailure } from '../app/failure.js';
import { Api } from './api.js';
import { Board } from './board.js';
import { clockCard } from './clock.js';
import { faultCard } from './faults.js';
import { playCard } from './play.js';
import { watch } from './watch.js';

/** Recoveries of funds as they unfold; in the sandbox, whatever one has its directory play. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const { environment } = workspace.current;
  const sandbox = environment === 'sandbox';
  const board = new Board(sandbox ? 'Nothing has happened yet. Play a scenario to see a recovery from its first event to its last.' : 'No recovery has concerned you so far.');
  const trouble = el('div', { role: 'status' });
  const side = el('div', { class: 'stack play' });
  const watching = watch(look, workspace.leaving, (error) => fill(trouble, error && el('p', { class: 'notice error' }, error.message)));
  const plays = sandbox && workspace.may('startRecoveryScenario');
  if (plays) void showFailure(side, drawSide);
  return el('div', { class: 'page' },
    !sandbox && el('p', { class: 'notice' }, 'These are live recoveries. To play through one, switch on the ', el('a', { href: '/sandbox' }, 'sandbox'), '.'),
    el('div', { class: plays && 'columns' },
      el('section', { class: 'stack', 'aria-labelledby': 'recoveries-heading' }, el('h2', { id: 'recoveries-heading' }, 'Recoveries'), trouble, board.element),
      plays && side));

  async function look() {
    const news = await board.look(api, environment);
    if (news !== null) announce(news);
  }

  async function drawSide() {
    const { scenarios } = await api.listRecoveryScenarios();
    const clock = clockCard(api, watching.stir);
    const play = playCard(api, scenarios, (run) => {
      clock.show(run);
      watching.stir();
    });
    fill(side, play, clock.element, workspace.may('armDirectoryFault') && faultCard(api));
  }
}
