/**
 * Process definitions in BPMN 2.0, their instances, and the tasks that people do in them.
 *
 * What an instance does next is computed by server/workflow, which knows no database; this module stores it. The state
 * of an instance is one column, and the rows of tasks and timers follow from it: each step writes the difference
 * (`advance.ts`) under the lock of the instance, in the transaction of its cause. A step that evaluates expressions is
 * computed in a thread by a task (`step-task.ts`), and commands that come meanwhile wait behind it in their order.
 *
 * The module may use definitions (drafts, activation by two people), second-review, applications (lookups), tasks,
 * request, rules and database.
 *
 * `POST /v1/workflows/tasks/{id}/complete`: the handler locks the instance and then the task, judges the role, the
 * assignee and the four eyes, marks the task and calls `advance`, which computes the step and inserts the next tasks.
 */
import type { Cursors } from '../../request/pagination.ts';
import type { Module } from '../../tasks/module.ts';
import { definitionHandlers } from './definition-handlers.ts';
import { incidentHandlers } from './incident-handlers.ts';
import { instanceChanges } from './instance-changes.ts';
import { instanceHandlers } from './instance-handlers.ts';
import { messageHandlers } from './message-handlers.ts';
import { stepTask } from './step-task.ts';
import { taskHandlers } from './task-handlers.ts';
import { timersDue } from './timers.ts';
import { workflowWork } from './work.ts';

const workflowHandlers = (services: { readonly cursors: Cursors }) => ({
  ...definitionHandlers(services),
  ...instanceHandlers(services),
  ...instanceChanges,
  ...incidentHandlers(services),
  ...messageHandlers,
  ...taskHandlers(services),
});

export const workflowsModule = {
  name: 'workflows',
  handlers: workflowHandlers,
  dues: [timersDue],
  tasks: [stepTask],
  work: workflowWork,
} satisfies Module<never, never>;
