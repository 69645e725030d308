/**
 * Publishes the event that a decision has taken effect to the other modules (subject-events). Called by decide.ts and
 * automatic-approval.ts in the transaction of the decision, so a listener that throws undoes the decision.
 */
import type { Transaction } from '../../../database/index.ts';
import type { Decision } from '../../decisions/index.ts';
import { publish, type When } from '../../subject-events/index.ts';
import type { ApplicationRecord } from '../record/application.ts';

/** Publishes that a decision has taken effect, by one person, by two or by the policy. */
export function publishEffective(
  tx: Transaction,
  { id, environment }: Pick<ApplicationRecord, 'id' | 'environment'>,
  { id: decisionId, outcome }: Pick<Decision, 'id' | 'outcome'>,
  when: When,
): Promise<void> {
  return publish(tx, {
    type: 'decision.effective',
    subject: { kind: 'application', id },
    environment,
    decisionId,
    outcome,
    ...when,
  });
}
