/** @import { Api, AuditCheckpoint } from './api.js' */
import { el } from '../dom.js';
import { download } from '../app/download.js';
import { pagedList } from '../app/paged-list.js';
import { relativeTime } from '../app/time.js';

/** What the service has signed. Whoever keeps a copy can tell later whether the log was rewritten. @param {Api} api */
export function checkpointsCard(api) {
  const { element, load } = pagedList({
    list: el('ul', { class: 'sessions checkpoints' }),
    read: (cursor) => api.listAuditCheckpoints(cursor),
    item,
    empty: () => 'No checkpoint yet. One is made every five minutes when something has happened.',
  });
  load();
  return {
    element: el('section', { class: 'card stack', 'aria-labelledby': 'checkpoints-heading' },
      el('h2', { id: 'checkpoints-heading' }, 'Checkpoints'),
      el('p', { class: 'muted' }, 'Signed statements about the log up to a point. Keep some where the service cannot reach them.'),
      element),
    load,
  };
}

/** @param {AuditCheckpoint} checkpoint */
function item(checkpoint) {
  const { treeSize, timestamp, rootHash } = checkpoint;
  return el('li', {},
    el('div', {}, el('strong', {}, `${treeSize.toLocaleString('en-GB')} events`), el('p', { class: 'muted' }, relativeTime(timestamp), ', root ', el('code', {}, `${rootHash.slice(0, 12)}…`))),
    el('button', { type: 'button', class: 'button quiet small', onclick: () => download(`checkpoint-${treeSize}.json`, 'application/json', `${JSON.stringify(checkpoint, null, 2)}\n`) },
      'Download', el('span', { class: 'visually-hidden' }, ` the checkpoint of ${treeSize} events`)));
}
