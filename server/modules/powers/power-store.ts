import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  date,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  subjectTable,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';

type Schemas = components['schemas'];

const EDITED = 'an author changes the draft';
const CONFIRMED = 'a second person confirms the draft';
const REVOKED = 'the power is revoked';

/** Documents that say who may sign for a company. */
export const power = subjectTable(
  'business',
  'power',
  {
    environment: code<Environment>(),
    status: code<'draft' | 'active' | 'revoked'>().changes('the draft is confirmed, or the power is revoked'),
    type: code<Schemas['PowerType']>().changes(EDITED),
    // JSON, sealed: what the document says.
    instrument: text().sealed().erasedTo('').changes(EDITED),
    // Members of the instrument by which powers are found.
    documentId: uuid().nullable().unaudited().changes(EDITED),
    validFrom: date().unaudited().changes(EDITED),
    validUntil: date().nullable().unaudited().changes(EDITED),
    ruleCount: integer().unaudited().changes(EDITED),
    extractedBy: code<Schemas['Power']['extractedBy']>(),
    evidenceDigest: code().changes(EDITED),
    reviewId: uuid().unaudited().changes(EDITED),
    confirmedAt: businessTimestamp().nullable().changes(CONFIRMED),
    confirmedBy: actor().nullable().changes(CONFIRMED),
    confirmationNote: text().nullable().sealed().erasedTo(null).changes(CONFIRMED),
    revokedAt: businessTimestamp().nullable().changes(REVOKED),
    revocationReason: code<Schemas['PowerRevocationReason']>().nullable().changes(REVOKED),
    revocationDocumentId: uuid().nullable().changes(REVOKED),
    expiredAt: businessTimestamp().nullable().defaulted().unaudited().changes('the last day of the power has passed'),
    version: integer().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    timeline: {
      'power.drafted': null,
      'power.updated': null,
      'power.confirmed': null,
      'power.revoked': null,
      'power.expired': null,
    },
    example: { status: 'draft', type: 'articles', extractedBy: 'manual' },
  },
);

const columns = power.except('tenantId');
export type PowerRow = RowOf<typeof columns>;

type OfBusiness = { tenantId: string; businessId: string };

const insert = statement<InsertOf<typeof power>>('power.insert', (p) => power.insert(p));

const update = statement<InsertOf<typeof power>>(
  'power.update',
  (p) => sql`UPDATE power SET ${power.assignAll(p)} WHERE ${power.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type Revocation = Pick<PowerRow, 'id' | 'revokedAt' | 'revocationReason' | 'revocationDocumentId' | 'updatedAt'>;

const revoke = statement<{ tenantId: string } & Revocation>(
  'power.revoke',
  (p) => sql`
  UPDATE power SET ${power.revise(p.updatedAt, {
    status: 'revoked',
    revokedAt: p.revokedAt,
    revocationReason: p.revocationReason,
    revocationDocumentId: p.revocationDocumentId,
  })}
  WHERE ${power.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type End = {
  id: string;
  instrument: string;
  validUntil: string;
  at: BusinessTime;
};

const end = statement<{ tenantId: string } & End>(
  'power.end',
  (p) => sql`
  UPDATE power SET ${power.revise(p.at, { instrument: p.instrument, validUntil: p.validUntil })}
  WHERE ${power.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const findAnywhere = statement<{ tenantId: string; id: string }, { businessId: Uuid }>(
  'power.findAnywhere',
  (p) => sql`
  SELECT business_id AS "businessId" FROM power WHERE ${power.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const find = statement<OfBusiness & { id: string }, PowerRow>(
  'power.find',
  (p) => sql`
  SELECT ${columns} FROM power WHERE ${power.equal({ tenantId: p.tenantId, businessId: p.businessId, id: p.id })}`,
);

const list = statement<OfBusiness, PowerRow>(
  'power.list',
  (p) => sql`
  SELECT ${columns} FROM power WHERE ${power.equal({ tenantId: p.tenantId, businessId: p.businessId })}
    ORDER BY id DESC`,
);

/** Inserts a power whose texts are sealed. */
export function insertPower(tx: Transaction, row: PowerRow): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Updates a power. The caller must hold the lock on the business. */
export function storePower(tx: Transaction, row: PowerRow): void {
  void tx.run(update, { ...row, tenantId: tx.tenantId! });
}

/** Revokes a power. Its sealed texts stay, because sealing them again would change them. */
export function storeRevocation(
  tx: Transaction,
  { id, revokedAt, revocationReason, revocationDocumentId, updatedAt }: Revocation,
): void {
  void tx.run(revoke, {
    tenantId: tx.tenantId!,
    id,
    revokedAt,
    revocationReason,
    revocationDocumentId,
    updatedAt,
  });
}

/** Sets the last day of a power of the sandbox; the instrument with that day is sealed. */
export function endPower(
  tx: Transaction,
  sealed: Pick<End, 'id' | 'instrument'>,
  validUntil: string,
  at: BusinessTime,
): void {
  const { id, instrument } = sealed;
  void tx.run(end, {
    tenantId: tx.tenantId!,
    id,
    instrument,
    validUntil,
    at,
  });
}

/** Finds the business of a power that a request names without it. */
export async function businessOfPower(tx: Transaction, id: string): Promise<Uuid | null> {
  return (await tx.run(findAnywhere, { tenantId: tx.tenantId!, id }))[0]?.businessId ?? null;
}

export async function findPower(tx: Transaction, businessId: string, id: string): Promise<PowerRow | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, businessId, id }))[0] ?? null;
}

/** Lists the powers of a business, newest first. */
export function listPowers(tx: Transaction, businessId: string): Promise<PowerRow[]> {
  return tx.run(list, { tenantId: tx.tenantId!, businessId });
}
