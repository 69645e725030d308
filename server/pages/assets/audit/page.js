/** @import { Workspace } from '../app/workspace.js' */
import { el } from '../dom.js';
import { filterRow } from '../app/filters.js';
import { pagedList } from '../app/paged-list.js';
import { Api } from './api.js';
import { checkpointsCard } from './checkpoints.js';
import { eventRow, eventTable } from './event-row.js';
import { FILTERS, parametersOf } from './search.js';
import { verifyCard } from './verify-card.js';

/** What was done, by whom, and whether the record of it still holds. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const rows = el('tbody', {});
  const filters = filterRow(FILTERS, () => load());
  const { element, load } = pagedList({
    list: rows,
    around: eventTable(rows),
    read: (cursor) => api.listAuditEvents(parametersOf(filters.values()), cursor),
    item: (event) => eventRow(event, api),
    empty: () => 'Nothing fits.',
  });
  const checkpoints = checkpointsCard(api);
  load();
  return el('div', { class: 'page' },
    el('div', { class: 'halves' }, verifyCard(api, checkpoints.load), checkpoints.element),
    el('section', { class: 'record-list', 'aria-labelledby': 'events-heading' },
      el('h2', { id: 'events-heading', tabindex: '-1' }, 'Events'),
      filters.element, element));
}
