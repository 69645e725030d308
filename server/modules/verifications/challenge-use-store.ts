/**
 * Reads whether a verification has used a challenge. Used by start.ts when a verification of liveness is started. Apart
 * from challenge-store.ts because it reads the table of verifications.
 */
import { statement, sql, type Transaction } from '../../database/index.ts';
import { verification } from './store.ts';

const findUse = statement<{ tenantId: string; challengeId: string }, { used: boolean }>(
  'verification.challengeUse',
  (p) => sql`
  SELECT EXISTS (SELECT FROM verification
    WHERE ${verification.equal({ tenantId: p.tenantId, challengeId: p.challengeId })}
      AND status NOT IN ('error', 'cancelled')) AS used`,
);

/** Returns whether a verification has used a challenge. One without an answer has not. */
export async function isChallengeUsed(tx: Transaction, challengeId: string): Promise<boolean> {
  return (await tx.run(findUse, { tenantId: tx.tenantId!, challengeId }))[0]!.used;
}
