/**
 * Table `waiver`, the ledger of waived requirements, and its statements. Used by waivers.ts and the evidence manifest,
 * and exported by the index. Rows are only added, so a revocation is a row too; an erasure empties the note.
 */
import type { BusinessTimestamp } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

export type Waiver = components['schemas']['Waiver'] & { readonly createdAt: BusinessTimestamp };

/** Ledger of waivers. Rows are added, and changed only by an erasure. */
export const waiver = table(
  'waiver',
  {
    id: uuid(),
    action: code<Waiver['action']>(),
    requirementKey: code(),
    reasonCode: code<Waiver['reasonCode']>(),
    note: text().sealed().erasedTo(''),
    createdBy: actor(),
    createdAt: businessTimestamp(),
    tenantId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the waiver is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: { 'requirement.waived': null, 'requirement.waiver_revoked': null },
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      action: 'granted',
      requirementKey: 'address',
      reasonCode: 'other',
      note: 'Seen by the branch.',
    },
  },
);

const wire = waiver.except('tenantId', 'applicationId', 'businessId', 'environment', 'erasedAt');

const list = bySubject((member, kind) =>
  statement<OfSubject, RowOf<typeof wire>>(
    `waiver.list.${kind}`,
    (p) => sql`
  SELECT ${wire} FROM waiver WHERE ${waiver.equal({ tenantId: p.tenantId, [member]: p.subjectId })}
    ORDER BY sequence DESC`,
  ),
);

const insert = statement<InsertOf<typeof waiver>>('waiver.insert', (p) => waiver.insert(p));

/** Lists all waivers, newest first. No limit is needed, because recording limits their number. */
export function listWaivers(tx: Transaction, subject: Subject): Promise<Waiver[]> {
  return tx.run(list(subject), keyOf(tx, subject));
}

export function insertWaiver(tx: Transaction, row: InsertOf<typeof waiver>): void {
  void tx.run(insert, row);
}
