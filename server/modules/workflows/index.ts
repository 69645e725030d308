/**
 * Process definitions in BPMN 2.0, their instances, and the tasks that people do in them.
 *
 * What an instance does next is computed by server/workflow, which knows no database; this module stores it. The state
 * of an instance is one column, and the rows of tasks and timers follow from it: each step writes the difference
 * (`advance.ts`, `follow.ts`) under the lock of the instance, in the transaction of its cause. A step that evaluates
 * expressions is computed in a child process by a task (`step-task.ts`), and commands that come meanwhile wait in their
 * order behind it.
 *
 * Work that a process needs is a row of its own. Workers of the tenant take it and report its result
 * (`job-handlers.ts`), and wait for it outside of a transaction (`work-arrivals.ts`). Some types of work the service
 * does itself (`bindings.ts`). What happens to an application or a business reaches the instances about it as a message
 * (`hear.ts`), as does what other processes send (`sent.ts`); both can begin instances (`starts.ts`). The settings can
 * name the process by which applications run (`application-process.ts`).
 * `migrate.ts` lets an instance continue by another version, and `batch-handlers.ts` changes many instances.
 *
 * The module may use definitions (drafts, activation by two people), second-review, applications, businesses,
 * company-registry, ownership, powers, cases, monitoring, risk, screenings, verifications, tenant-settings,
 * subject-events, tasks, request, audit, rules and database.
 *
 * `POST /v1/workflows/tasks/{id}/complete`: the handler locks the instance and then the task, judges the role, the
 * assignee and the four eyes, marks the task and calls `advance`, which computes the step and inserts the next tasks.
 */
import type { Module } from '../../tasks/module.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { batchHandlers, batchTask } from './batch-handlers.ts';
import { bindingTask } from './bindings.ts';
import { callsTask, returnedTask } from './calls.ts';
import { definitionHandlers } from './definition-handlers.ts';
import { erasureListener, hearListeners, hearTasks } from './hear.ts';
import { historyHandlers } from './history-handlers.ts';
import { incidentHandlers } from './incident-handlers.ts';
import { instanceChanges } from './instance-change-handlers.ts';
import { instanceHandlers } from './instance-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { messageHandlers } from './message-handlers.ts';
import { sentTask } from './sent.ts';
import { startsDue } from './starts.ts';
import { stepTask } from './step-task.ts';
import { taskHandlers } from './task-handlers.ts';
import { timersDue } from './timers.ts';
import { applicationListener } from './application-process.ts';
import type { WorkArrivals } from './work-arrivals.ts';
import { workflowWork } from './work.ts';

const workflowHandlers = (services: { readonly workArrivals: WorkArrivals }) => ({
  ...definitionHandlers,
  ...instanceHandlers,
  ...instanceChanges,
  ...historyHandlers,
  ...jobHandlers(services),
  ...batchHandlers,
  ...incidentHandlers,
  ...messageHandlers,
  ...taskHandlers,
});

export { WorkArrivals } from './work-arrivals.ts';

export const workflowsModule = {
  name: 'workflows',
  handlers: workflowHandlers,
  dues: [timersDue, startsDue],
  tasks: [stepTask, bindingTask, batchTask, callsTask, returnedTask, sentTask, ...hearTasks],
  listeners: [applicationListener, erasureListener, ...hearListeners],
  work: workflowWork,
} satisfies Module<never, never, SubjectListener>;
