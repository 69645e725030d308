import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  boolean,
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  json,
  newestFirst,
  type RowOf,
  sql,
  statement,
  subjectTable,
  text,
  type Transaction,
} from '../../database/index.ts';

const KEYS = 'keys that the integrator assigns, by which requirements find the people';

/** Versions of graphs of owners. */
export const ownershipVersion = subjectTable(
  'business',
  'ownership_version',
  {
    environment: code<Environment>(),
    version: integer(),
    partyCount: integer(),
    edgeCount: integer(),
    isComplete: boolean(),
    // In millionths of a percent.
    unresolved: integer(),
    beneficialOwners: integer(),
    unidentifiedOwners: integer(),
    ownerKeys: json<readonly (readonly string[])[]>().unsealed(KEYS).erasedTo([]),
    representativeKeys: json<readonly (readonly string[])[]>().unsealed(KEYS).erasedTo([]),
    digest: code(),
    documentIds: json<readonly Uuid[]>().impersonal('ids of documents that the graph names'),
    // JSON, sealed: what was sent, and what follows from it.
    graph: text().sealed().erasedTo(''),
    assessment: text().sealed().erasedTo(''),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    timeline: { 'ownership.replaced': null },
    example: { documentIds: [], ownerKeys: [], representativeKeys: [] },
  },
);

const columns = ownershipVersion.except('tenantId', 'erasedAt');
export type OwnershipVersion = RowOf<typeof columns>;
const summary = ownershipVersion.except(
  'tenantId',
  'graph',
  'assessment',
  'ownerKeys',
  'representativeKeys',
  'documentIds',
  'erasedAt',
);
export type OwnershipVersionSummary = RowOf<typeof summary>;

type OfBusiness = { tenantId: string; businessId: string };

const insert = statement<InsertOf<typeof ownershipVersion>>('ownership.insert', (p) => ownershipVersion.insert(p));

const findLatest = statement<OfBusiness, OwnershipVersion>(
  'ownership.latest',
  (p) => sql`
  SELECT ${columns} FROM ownership_version
    WHERE ${ownershipVersion.equal({ tenantId: p.tenantId, businessId: p.businessId })}
    ORDER BY version DESC LIMIT 1`,
);

const findNumbered = statement<OfBusiness & { version: number }, OwnershipVersion>(
  'ownership.numbered',
  (p) => sql`
  SELECT ${columns} FROM ownership_version
    WHERE ${ownershipVersion.equal({ tenantId: p.tenantId, businessId: p.businessId, version: p.version })}`,
);

/** Finds the latest version of a business; null if nothing is recorded. */
export async function latestVersion(tx: Transaction, businessId: string): Promise<OwnershipVersion | null> {
  return (await tx.run(findLatest, { tenantId: tx.tenantId!, businessId }))[0] ?? null;
}

export async function numberedVersion(
  tx: Transaction,
  businessId: string,
  version: number,
): Promise<OwnershipVersion | null> {
  return (await tx.run(findNumbered, { tenantId: tx.tenantId!, businessId, version }))[0] ?? null;
}

/** Inserts a version whose texts are sealed. The caller must hold the lock on the business. */
export function insertVersion(tx: Transaction, row: Omit<InsertOf<typeof ownershipVersion>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

const listAfter = statement<OfBusiness & { after: string; count: number }, OwnershipVersion>(
  'ownership.after',
  (p) => sql`
  SELECT ${columns} FROM ownership_version
    WHERE ${ownershipVersion.equal({ tenantId: p.tenantId, businessId: p.businessId })} AND id > ${p.after}
    ORDER BY id LIMIT ${p.count}`,
);

/** Lists versions with their content, the first first. Their ids are in the order of time. */
export function versionsAfter(
  tx: Transaction,
  businessId: string,
  { after, count }: { readonly after: string; readonly count: number },
): Promise<OwnershipVersion[]> {
  return tx.run(listAfter, {
    tenantId: tx.tenantId!,
    businessId,
    after,
    count,
  });
}

/** Lists the versions of a business. */
export const versionsOf = newestFirst(ownershipVersion, summary, { of: 'businessId', by: 'version' });
