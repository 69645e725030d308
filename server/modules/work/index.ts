/**
 * Work: one view of what waits for a person, by due date. Each module lists its own records (`work` of its descriptor,
 * `server/tasks/work.ts`), so this module imports none of them: it merges their first records into a page.
 *
 * The module may use request and tasks, and no other module.
 *
 * `GET /v1/work`: cases of the caller, open alerts and hits, and proposals of others that the caller may review.
 */
import type { Module } from '../../tasks/module.ts';
import { workHandlers } from './handlers.ts';

export const workModule = { name: 'work', handlers: workHandlers } satisfies Module<never>;
