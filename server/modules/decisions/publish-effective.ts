/**
 * Publishes to the other modules that a decision has taken effect (subject-events). Called by the modules of subjects
 * in the transaction of the decision, so a listener that throws undoes the decision.
 */
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { publish, type When } from '../subject-events/index.ts';
import type { Decision } from './decision-store.ts';

/**
 * Publishes a decision by one person, by two or by the policy. One that waits for a second person has no effect yet.
 */
export async function publishEffective(
  tx: Transaction,
  about: { readonly subject: Subject; readonly environment: Environment },
  { id: decisionId, outcome, status }: Pick<Decision, 'id' | 'outcome' | 'status'>,
  when: When,
): Promise<void> {
  if (status === 'effective')
    await publish(tx, {
      type: 'decision.effective',
      ...about,
      decisionId,
      outcome,
      ...when,
    });
}
