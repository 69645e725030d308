/**
 * Queues assessments that something which happened to a subject, or to one of the people of a company, calls for. The
 * tasks are those of assess-task.ts; they are queued by their names, because assess.ts queues them too.
 */
import type { RealTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { enqueueTaskOnce } from '../../tasks/task.ts';
import { companiesOf } from './company-store.ts';

/** Names of the tasks that assess a subject. */
export const ASSESS: Readonly<Record<Subject['kind'], string>> = {
  application: 'risk.assess',
  business: 'risk.assess_business',
};

export async function queueAssessment(tx: Transaction, { kind, id }: Subject, now: RealTime): Promise<void> {
  await enqueueTaskOnce(tx, { name: ASSESS[kind] }, id, now);
}

/** What is known of a person is a fact about the companies that the person owns or represents. */
export async function queueCompaniesOf(tx: Transaction, { kind, id }: Subject, now: RealTime): Promise<void> {
  if (kind !== 'application') return;
  for (const company of await companiesOf(tx, id)) await queueAssessment(tx, { kind: 'business', id: company }, now);
}
