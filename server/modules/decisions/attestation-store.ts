/**
 * Table `attestation`, the ledger of what people have looked up about a subject, and its statements. Used by
 * attestations.ts and the evidence manifest, and exported by the index. Rows are only added; an erasure empties them.
 * `subject` (the data that were looked up) must never reach a reader: use `wireOf`.
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

/** Stored attestation: what readers see, and the data that were looked up. */
export interface Attestation extends Wire {
  readonly lookedUpAt: BusinessTimestamp;
  readonly createdAt: BusinessTimestamp;
  /** Identifying data of the subject when the attestation was recorded. */
  readonly subject: string;
}

type Wire = components['schemas']['Attestation'];

/** Ledger of attestations. Rows are added, and changed only by an erasure. */
export const attestation = table(
  'attestation',
  {
    id: uuid(),
    requirementKey: code(),
    outcome: code<Attestation['outcome']>(),
    source: text().sealed().erasedTo(''),
    lookedUpAt: businessTimestamp(),
    note: text().sealed().erasedTo(''),
    subject: text().sealed().erasedTo(''),
    evidenceDocumentId: uuid().nullable(),
    createdBy: actor(),
    createdAt: businessTimestamp(),
    tenantId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the attestation is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: { 'requirement.attested': null },
    sandboxReset: { emptiedBefore: 'document' },
    insertedBy: 'app',
    example: {
      requirementKey: 'cpf_status_ok',
      outcome: 'pass',
      source: 'The register.',
      note: 'Regular.',
      subject: '{}',
    },
  },
);

const own = attestation.except('tenantId', 'applicationId', 'businessId', 'environment', 'erasedAt');

const list = bySubject((member, kind) =>
  statement<OfSubject, RowOf<typeof own>>(
    `attestation.list.${kind}`,
    (p) => sql`
  SELECT ${own} FROM attestation WHERE ${attestation.equal({ tenantId: p.tenantId, [member]: p.subjectId })}
    ORDER BY sequence DESC`,
  ),
);

const insert = statement<InsertOf<typeof attestation>>('attestation.insert', (p) => attestation.insert(p));

const findUse = statement<{ tenantId: string; documentId: string }, { used: boolean }>(
  'attestation.findUse',
  (p) => sql`
  SELECT EXISTS (SELECT FROM attestation
    WHERE ${attestation.equal({ tenantId: p.tenantId, evidenceDocumentId: p.documentId })}) AS used`,
);

/** Lists all attestations, newest first. No limit is needed, because recording limits their number. */
export function listAttestations(tx: Transaction, subject: Subject): Promise<Attestation[]> {
  return tx.run(list(subject), keyOf(tx, subject));
}

export function insertAttestation(tx: Transaction, row: InsertOf<typeof attestation>): void {
  void tx.run(insert, row);
}

/** Returns the members of an attestation that the contract has. The caller masks them for the reader. */
export function wireOf({ subject: _subject, ...wire }: Attestation): Wire {
  return wire;
}

/** Returns whether an attestation names the document as its evidence. */
export async function provesAttestation(
  tx: Transaction,
  key: { tenantId: string; documentId: string },
): Promise<boolean> {
  const [row] = await tx.run(findUse, key);
  return row?.used === true;
}
