import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { Problem, unavailable } from '../../contract/problem.ts';
import {
  actor,
  businessTimestamp,
  code,
  every,
  type Fragment,
  type InsertOf,
  integer,
  json,
  keyset,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  UniqueViolation,
  type UpdateOf,
  uuid,
} from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { headOfficeOf, isBranch, rootOf } from '../../verification/ids/tax-numbers.ts';

type Schemas = components['schemas'];

const EDITED = 'the integrator or a user edits the business';
const MOVED = 'the business is submitted, is withdrawn or waits for an answer';
const DECIDED = 'the business is decided or reopened';
const REVISED = 'each change sets the time and the version';

export const business = table(
  'business',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    externalId: text()
      .nullable()
      .unsealed('a reference of the integrator, by which businesses are searched')
      .erasedTo(null)
      .changes(EDITED),
    legalName: text().unsealed('the name of a company is public in its register').erasedTo('').changes(EDITED),
    tradeName: text()
      .nullable()
      .unsealed('the name of a company is public in its register')
      .erasedTo(null)
      .changes(EDITED),
    registration: json<Schemas['RecordedRegistration']>().impersonal('the registration of a company is public'),
    // Number of the registration, for the search.
    registrationNumber: code(),
    legalForm: code<Schemas['LegalForm']>().changes(EDITED),
    level: code<Schemas['DiligenceLevel']>().changes(EDITED),
    monthlyRevenue: json<Schemas['Money']>()
      .nullable()
      .unsealed('an amount, which decisions compare')
      .erasedTo(null)
      .changes(EDITED),
    status: code<Schemas['ApplicationStatus']>().unaudited().changes(MOVED),
    statusReason: code().nullable().unaudited().changes(MOVED),
    statusNote: text()
      .nullable()
      .unsealed('lists show the note with the status, and unseal nothing')
      .erasedTo(null)
      .unaudited()
      .changes(MOVED),
    resubmissionCount: integer().unaudited().changes('the business answers an information request'),
    submittedAt: businessTimestamp().nullable().unaudited().changes(MOVED),
    decidedAt: businessTimestamp().nullable().unaudited().changes(DECIDED),
    validUntil: businessTimestamp().nullable().unaudited().changes(DECIDED),
    reviewDueAt: businessTimestamp().nullable().unaudited().changes(DECIDED),
    relationshipEndedAt: businessTimestamp()
      .nullable()
      .unaudited()
      .changes('an approved business ceases to be a customer'),
    expiresAt: businessTimestamp().nullable().unaudited().changes(MOVED),
    version: integer().unaudited().changes(REVISED),
    createdAt: businessTimestamp(),
    updatedAt: businessTimestamp().unaudited().changes(REVISED),
    createdBy: actor(),
    erasedAt: businessTimestamp().nullable().defaulted().unaudited().changes('the business is erased'),
  },
  {
    owner: 'business',
    timeline: {
      'business.created': 'draft',
      'business.updated': null,
      'business.submitted': 'in_review',
      'business.withdrawn': 'withdrawn',
      'business.expired': 'expired',
      'business.reopened': 'in_review',
      'business.relationship_ended': null,
    },
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      legalName: 'Padaria Aurora Ltda',
      registration: { type: 'cnpj', number: '11222333000181', country: 'BR' },
      registrationNumber: '11222333000181',
      legalForm: 'ltda',
      level: 'standard',
      status: 'draft',
    },
  },
);

const columns = business.except('tenantId', 'registrationNumber', 'erasedAt');
export type Business = RowOf<typeof columns>;
const found = business.except('tenantId', 'registrationNumber');
/** A business as it is found, which may be erased. */
export type FoundBusiness = RowOf<typeof found>;

type Key = { tenantId: string; id: string };
type Names = Pick<Business, 'environment' | 'externalId' | 'registration'>;

const find = statement<Key, FoundBusiness>(
  'business.find',
  (p) => sql`SELECT ${found} FROM business WHERE ${business.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, FoundBusiness>(
  'business.lock',
  (p) => sql`SELECT ${found} FROM business WHERE ${business.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const insert = statement<InsertOf<typeof business>>(
  'business.insert',
  (p) => sql`${business.insert(p)} ON CONFLICT DO NOTHING`,
);

const update = statement<Key & Omit<UpdateOf<typeof business>, 'tenantId'>>(
  'business.update',
  (p) => sql`
  UPDATE business SET ${business.assignAll(p)} WHERE ${business.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const findSame = statement<
  {
    tenantId: string;
    environment: Environment;
    externalId: string | null;
    registration: Business['registration'];
  },
  { id: string; isSameRegistration: boolean }
>(
  'business.same',
  (p) => sql`
  SELECT id, registration = ${p.registration}::jsonb AS "isSameRegistration" FROM business
    WHERE ${business.equal({ tenantId: p.tenantId, environment: p.environment, erasedAt: null })}
      AND (registration = ${p.registration}::jsonb OR external_id = ${p.externalId}::text)
    ORDER BY 2 DESC LIMIT 1`,
);

type Cnpj = { tenantId: string; environment: Environment; number: string };

const byCnpj = (p: ParametersOf<Cnpj>): Fragment => sql`
  SELECT ${columns} FROM business
    WHERE ${business.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      registrationNumber: p.number,
      erasedAt: null,
    })}
      AND registration->>'type' = 'cnpj'`;

const findByCnpj = statement<Cnpj, Business>('business.byCnpj', byCnpj);

const lockByCnpj = statement<Cnpj, Business>('business.lockByCnpj', (p) => sql`${byCnpj(p)} FOR KEY SHARE`);

export async function findBusiness(tx: Transaction, id: string): Promise<FoundBusiness | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Finds and locks a business until the end of the transaction. */
export async function lockBusiness(tx: Transaction, id: string): Promise<FoundBusiness | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/**
 * Finds the head office of a branch. Null if the business is no branch, or if its head office is not recorded. One that
 * is locked is not erased before the end of the transaction.
 */
export async function findHeadOffice(
  tx: Transaction,
  { environment, registration: { type, number } }: Pick<Business, 'environment' | 'registration'>,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<Business | null> {
  if (type !== 'cnpj' || !isBranch(number)) return null;
  const key = { tenantId: tx.tenantId!, environment, number: headOfficeOf(number) };
  return (await tx.run(isLocked ? lockByCnpj : findByCnpj, key))[0] ?? null;
}

const lockByRoot = statement<Key & { environment: Environment; root: string }, Business>(
  'business.lockBranches',
  (p) => sql`
  SELECT ${columns} FROM business
    WHERE ${business.equal({ tenantId: p.tenantId, environment: p.environment, erasedAt: null })}
      AND registration_number BETWEEN ${p.root}::text || '000000' AND ${p.root}::text || 'ZZZZ99'
      AND left(registration_number, 8) = ${p.root} AND registration->>'type' = 'cnpj' AND id <> ${p.id}
    ORDER BY id FOR UPDATE`,
);

/** Locks the branches of a head office until the end of the transaction. None if the business is no head office. */
export async function lockBranches(
  tx: Transaction,
  { id, environment, registration: { type, number } }: Pick<Business, 'id' | 'environment' | 'registration'>,
): Promise<Business[]> {
  if (type !== 'cnpj' || isBranch(number)) return [];
  return tx.run(lockByRoot, {
    tenantId: tx.tenantId!,
    environment,
    root: rootOf(number),
    id,
  });
}

/** Inserts a business. It is refused if another one has its registration or its externalId. */
export async function insertBusiness(tx: Transaction, record: Business): Promise<void> {
  const inserted = await tx.count(insert, {
    ...record,
    tenantId: tx.tenantId!,
    registrationNumber: record.registration.number,
  });
  if (inserted === 0) await refuseDuplicate(tx, record);
}

/**
 * Updates a business whose lock the caller holds. If its externalId is taken, only the update is rolled back, so that
 * the refusal can name the other business.
 */
export async function storeBusiness(tx: Transaction, record: Business): Promise<void> {
  void tx.query(sql`SAVEPOINT external_id`);
  try {
    await tx.run(update, { ...record, tenantId: tx.tenantId! });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    void tx.query(sql`ROLLBACK TO SAVEPOINT external_id`);
    await refuseDuplicate(tx, { ...record, registration: { ...record.registration, number: '' } });
  }
}

async function refuseDuplicate(tx: Transaction, { environment, externalId, registration }: Names): Promise<never> {
  const [existing] = await tx.run(findSame, {
    tenantId: tx.tenantId!,
    environment,
    externalId,
    registration,
  });
  // The other business was removed in the meantime, for example by a reset of the sandbox.
  if (existing === undefined) throw unavailable('dependency_unavailable');
  const members = { existingId: existing.id };
  throw existing.isSameRegistration
    ? new Problem('duplicate_registration', members)
    : new Problem('duplicate_external_id', members);
}

export interface BusinessFilter {
  readonly environment: Environment;
  readonly registrationNumber?: string | undefined;
  readonly externalId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Lists businesses in the order of their creation. */
export function listBusinesses(
  tx: Transaction,
  { environment, registrationNumber, externalId, createdAfter, createdBefore }: BusinessFilter,
  {
    direction,
    after,
    count,
  }: { readonly direction: 'asc' | 'desc'; readonly after: Position | null; readonly count: number },
): Promise<Business[]> {
  const page = keyset(
    {
      key: sql`created_at`,
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  return tx.query<Business>(sql`
    SELECT ${columns} FROM business WHERE ${every([
      business.equal({ tenantId: tx.tenantId!, environment, erasedAt: null }),
      registrationNumber !== undefined && business.equal({ registrationNumber }),
      externalId !== undefined && business.equal({ externalId }),
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
