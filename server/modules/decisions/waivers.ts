/**
 * Rules of waivers: which requirement may be waived, and when a waiver can be revoked. Called, through the index, by
 * the module of the subject, which says what applies to each requirement and holds the lock. Refuses what is met,
 * waived already, or must not be waived.
 */
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { assertReason } from '../../rules/reasons.ts';
import { assertRoom, type LedgerSubject, refusal, sealedRecord, timeOfRecord, unknownRequirement } from './ledger.ts';
import { insertWaiver, type Waiver, waiver as waiverTable } from './waiver-store.ts';

/** What the module of the subject says about a requirement that is to be waived. */
interface Waivable {
  readonly isMet: boolean;
  /** Which requirements nobody may waive, if this is one of them: the end of the sentence `must not be one that …`. */
  readonly unwaivable: string | null;
}

interface Recording extends LedgerSubject {
  /** All waivers of the subject, newest first. */
  readonly ledger: readonly Waiver[];
  /** Returns what applies to a requirement, or null if the subject does not have it. */
  readonly requirementOf: (key: string) => Waivable | null;
}

/** Adds a grant or a revocation to the ledger of waivers. */
export async function recordWaiver(
  tx: Transaction,
  principal: AnyPrincipal,
  about: Recording,
  { action, requirementKey, reasonCode, note }: components['schemas']['WaiverCreate'],
): Promise<Waiver> {
  const { ledger, subject, now } = about;
  assertReason('waiver', action, reasonCode);
  const requirement = about.requirementOf(requirementKey);
  const isRevocable = isWaived(ledger, requirementKey);
  if (requirement === null && !isRevocable) throw unknownRequirement(subject);
  assertRoom(ledger, subject, { pointer: '/action', records: 'records of waivers' });
  if (action === 'revoked' && !isRevocable)
    throw refusal('/requirementKey', 'not_waived', 'must be a requirement that is waived');
  if (action === 'granted') {
    if (requirement !== null && requirement.unwaivable !== null)
      throw refusal('/requirementKey', 'not_waivable', `must not be one that ${requirement.unwaivable}`);
    if (isRevocable)
      throw refusal('/requirementKey', 'already_waived', 'must be a requirement that is not waived already');
    if (requirement?.isMet === true) throw refusal('/requirementKey', 'met', 'must be a requirement that is not met');
  }
  const waiver: Waiver = {
    id: uuidv7(),
    action,
    requirementKey,
    reasonCode,
    note,
    createdBy: actorOf(principal),
    createdAt: timeOfRecord(ledger, now),
  };
  insertWaiver(tx, await sealedRecord(tx, waiverTable, waiver, about));
  return waiver;
}

/** Returns whether the newest waiver record of the requirement is a grant. */
export function isWaived(newestFirst: readonly Pick<Waiver, 'action' | 'requirementKey'>[], key: string): boolean {
  return newestFirst.find(({ requirementKey }) => requirementKey === key)?.action === 'granted';
}
