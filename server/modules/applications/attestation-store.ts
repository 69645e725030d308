import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor, code, type InsertOf, type RowOf, sql, statement, table, text, timestamp, type Transaction, uuid,
} from '../../database/index.ts';

/** As it is kept: what a reader is shown, and of whom it tells. */
export interface Attestation extends Wire {
  /** `attestedPerson` of the applicant as the application had them then. */
  readonly subject: string;
}

type Wire = components['schemas']['Attestation'];

/** The ledger of attestations: rows are added, and never changed but by an erasure. */
export const attestation = table('attestation', {
  id: uuid(),
  requirementKey: code(),
  outcome: code<Attestation['outcome']>(),
  source: text().sealed().erasedTo(''),
  lookedUpAt: timestamp(),
  note: text().sealed().erasedTo(''),
  subject: text().sealed().erasedTo(''),
  evidenceDocumentId: uuid().nullable(),
  createdBy: actor(),
  createdAt: timestamp(),
  tenantId: uuid(),
  applicationId: uuid(),
  environment: code<Environment>(),
  erasedAt: timestamp().nullable().defaulted().changes('its application is erased'),
}, {
  owner: 'application',
  timeline: { 'requirement.attested': null },
  sandboxReset: { emptiedBefore: 'document' },
  insertedBy: 'app',
  example: { requirementKey: 'cpf_status_ok', outcome: 'pass', source: 'The register.', note: 'Regular.', subject: '{}' },
});

const own = attestation.except('tenantId', 'applicationId', 'environment', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, RowOf<typeof own>>('attestation.list', (p) => sql`
  SELECT ${own} FROM attestation WHERE ${attestation.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY sequence DESC`);

const insert = statement<InsertOf<typeof attestation>>('attestation.insert', (p) => attestation.insert(p));

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
