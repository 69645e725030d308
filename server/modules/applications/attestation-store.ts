import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type InsertOf, json, type RowOf, sql, statement, table, text, timestamp, type Transaction, uuid } from '../../database/index.ts';

/** As it is kept: what a reader is shown, and of whom it tells. */
export interface Attestation extends Wire {
  /** `attestedPerson` of the applicant as the application had them then. */
  readonly subject: string;
}

type Wire = components['schemas']['Attestation'];

/** The ledger of attestations: rows are added, and never changed but by an erasure. */
export const attestation = table('attestation', {
  id: uuid().fixed(),
  requirementKey: text().fixed(),
  outcome: text<Attestation['outcome']>().fixed(),
  source: text().fixed(),
  lookedUpAt: timestamp().fixed(),
  note: text().fixed(),
  subject: text().fixed(),
  evidenceDocumentId: uuid().nullable().fixed(),
  createdBy: json<Attestation['createdBy']>().fixed(),
  createdAt: timestamp().fixed(),
  tenantId: uuid().fixed(),
  applicationId: uuid().fixed(),
  environment: text<Environment>().fixed(),
  erasedAt: timestamp().nullable().defaulted(),
});

const own = attestation.except('tenantId', 'applicationId', 'environment', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, RowOf<typeof own>>('attestation.list', (p) => sql`
  SELECT ${own} FROM attestation WHERE ${attestation.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY sequence DESC`);

const insert = statement<InsertOf<typeof attestation>>('attestation.insert', (p) => attestation.insert(p));

/** That something was looked up stays, and not of whom, where, and what was noted. */
export const eraseAttestations = statement<OfApplication & { now: Date }>('attestation.erase', (p) => sql`
  UPDATE attestation SET ${attestation.assign({ source: '', note: '', subject: '', erasedAt: p.now })} WHERE ${attestation.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}`);

const findUse = statement<{ tenantId: string; documentId: string }, { used: boolean }>('attestation.findUse', (p) => sql`
  SELECT EXISTS (SELECT FROM attestation WHERE ${attestation.equal({ tenantId: p.tenantId, evidenceDocumentId: p.documentId })}) AS used`);

/** Newest first; their number is bounded when they are recorded. */
export function listAttestations(tx: Transaction, key: OfApplication): Promise<Attestation[]> {
  return tx.run(list, key);
}

export function insertAttestation(tx: Transaction, row: InsertOf<typeof attestation>): void {
  void tx.run(insert, row);
}

/** An attestation as its reader may see it, but for the masks. */
export function wireOf({ subject: _subject, ...told }: Attestation): Wire {
  return told;
}

/** Whether an attestation names the document as what shows it. */
export async function provesAttestation(tx: Transaction, key: { tenantId: string; documentId: string }): Promise<boolean> {
  const [row] = await tx.run(findUse, key);
  return row?.used === true;
}
