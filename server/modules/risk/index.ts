/**
 * Risk: what is risky about a subject, and why, in sums that anyone can check. The pure engine (server/risk) scores;
 * this module knows the models, the facts and the subjects.
 *
 * Models and reference lists are definitions; `versions.ts` finds their versions, shipped ones included, and
 * `activation.ts` puts drafts into effect, after which `portfolio.ts` assesses all subjects again. `assessable.ts` is a
 * subject with its record. `snapshot.ts` reads the facts about an applicant (`person-facts.ts`) or a company
 * (`company-facts.ts`), `catalogue.ts` lists those that there are, and `assess.ts` assesses a subject and stores the
 * result, sealed under the key of the subject. `assess-task.ts` hears what happens to a subject: it assesses in the
 * transaction of a submission, and after everything else in a task that `queue.ts` queues. `override.ts` sets a level
 * by the judgement of a person, until a certain time. `comparisons.ts` queues and cancels backtests, which
 * `backtest-task.ts` runs over stored facts, and `shadow.ts` lets a draft score beside the active model.
 *
 * Applications and businesses read the current assessment themselves, because this module uses both. The module may use
 * applications, businesses, company-registry, ownership, powers, the providers, definitions, second-review,
 * subject-events, subject-keys, tenant-settings, identity, request, tasks, database, rules and the engine.
 *
 * An application is submitted: applications publishes `subject.submitted`, the listener reads the facts, scores them by
 * the active model and stores the assessment; if the level is another than before, it publishes `assessment.changed`.
 */
import type { Module } from '../../tasks/module.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { assessListeners, assessTasks } from './assess-task.ts';
import { assessmentHandlers } from './assessment-handlers.ts';
import { backtestHandlers } from './backtest-handlers.ts';
import { backtestTask } from './backtest-task.ts';
import { listHandlers } from './list-handlers.ts';
import { modelHandlers } from './model-handlers.ts';
import { overrideDue } from './override.ts';
import { reassessTask } from './portfolio.ts';
import { shadowDue } from './shadow.ts';
import type { HandlersOf } from '../../request/handler.ts';

const handlers = () =>
  ({
    ...modelHandlers,
    ...listHandlers,
    ...backtestHandlers,
    ...assessmentHandlers,
  }) satisfies HandlersOf<'risk'>;

export { assessRecord } from './assess-task.ts';
export { lockAssessable } from './assessable.ts';
export { currentAssessment } from './assessment-store.ts';

export const riskModule = {
  name: 'risk',
  handlers,
  dues: [overrideDue, shadowDue],
  tasks: [...assessTasks, backtestTask, reassessTask],
  listeners: assessListeners,
} satisfies Module<never, never, SubjectListener>;
