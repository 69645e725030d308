/**
 * Verifications: checks of an applicant by documents, faces, liveness and registers.
 *
 * `start.ts` stores a verification and queues its task, after `inputs.ts` has checked its inputs; `run.ts` is the task,
 * which asks the providers that `routes.ts` finds in the settings (server/providers/verification) about the `job.ts`
 * that it has collected, without a database connection, and stores the answer;
 * `override.ts` puts the result of a person beside it. `challenges.ts` issues liveness challenges and stores their
 * frames, `end-biometrics.ts` cancels verifications after a withdrawal and erases frames when their retention ends, and
 * `tax-ids.ts` checks the digits of tax numbers. `store.ts`, `list-store.ts`, `challenge-store.ts` and
 * `challenge-use-store.ts` hold the statements, `present.ts` shows a verification to a reader. Which requirements a
 * verification meets is decided by applications, which reads the table itself.
 *
 * Texts that may name the applicant, and frames, are sealed under the key of the application, so that an erasure makes
 * them unreadable. Every change locks the application first.
 *
 * The module may use applications, decisions, documents, subject-events, subject-keys, tenant-settings, the providers,
 * request, tasks, database and rules.
 *
 * `POST /v1/verifications`: the handler stores the verification as `queued` and answers 202. The task claims it, the
 * provider answers or fails, and `finish` stores checks and status in one transaction with the event
 * `verification.final`. If the process ends meanwhile, the task is run again.
 */
import type { Module } from '../../tasks/module.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { framesDue, withdrawalListener } from './end-biometrics.ts';
import { verificationHandlers } from './handlers.ts';
import { verificationTask } from './run.ts';

export { startVerification } from './start.ts';
export { latestFinal } from './list-store.ts';

export const verificationsModule = {
  name: 'verifications',
  handlers: verificationHandlers,
  dues: [framesDue],
  tasks: [verificationTask],
  listeners: [withdrawalListener],
} satisfies Module<never, never, SubjectListener>;
