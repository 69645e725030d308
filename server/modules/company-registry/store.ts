/** Tables of the answers of registries and of the differences from what is declared, with their statements. */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  subjectTable,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';

type Schemas = components['schemas'];

/** Answers, as they came. */
export const registryAnswer = subjectTable(
  'business',
  'registry_answer',
  {
    environment: code<Environment>(),
    source: code(),
    situation: code<Schemas['RegistrySituation']>(),
    state: text().nullable().impersonal('the state of an establishment'),
    city: text().nullable().impersonal('the city of an establishment'),
    // JSON, sealed: everything that the registry said.
    finding: text().sealed().erasedTo(''),
    contentHash: code(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    timeline: { 'registry.fetched': null },
    example: { source: 'sandbox', situation: 'active' },
  },
);

const RESOLVED = 'a person resolves the difference';

/** Differences between what is declared and the latest answer. */
export const registryDifference = table(
  'registry_difference',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    businessId: uuid(),
    field: code<Schemas['RegistryDifference']['field']>(),
    severity: code<Schemas['RegistryDifference']['severity']>(),
    declared: text().nullable().sealed().erasedTo(null),
    registered: text().nullable().sealed().erasedTo(null),
    contentHash: code(),
    resolution: code<Schemas['RegistryResolution']>().nullable().changes(RESOLVED),
    note: text().nullable().sealed().erasedTo(null).changes(RESOLVED),
    resolvedAt: businessTimestamp().nullable().changes(RESOLVED),
    resolvedBy: actor().nullable().changes(RESOLVED),
    endedAt: businessTimestamp().nullable().defaulted().changes('the difference is no longer found'),
    createdAt: businessTimestamp(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    owner: 'business',
    timeline: { 'registry.difference_resolved': null },
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      field: 'situation',
      severity: 'high',
      resolution: null,
      resolvedAt: null,
      resolvedBy: null,
    },
  },
);

const answerColumns = registryAnswer.except('tenantId', 'erasedAt');
export type AnswerRow = RowOf<typeof answerColumns>;
const differenceColumns = registryDifference.except('tenantId', 'endedAt', 'erasedAt');
export type DifferenceRow = RowOf<typeof differenceColumns>;

type OfBusiness = { tenantId: string; businessId: string };

const insertAnswerRow = statement<InsertOf<typeof registryAnswer>>('registry.insertAnswer', (p) =>
  registryAnswer.insert(p),
);

const findLatest = statement<OfBusiness, AnswerRow>(
  'registry.latest',
  (p) => sql`
  SELECT ${answerColumns} FROM registry_answer
    WHERE ${registryAnswer.equal({ tenantId: p.tenantId, businessId: p.businessId })} ORDER BY id DESC LIMIT 1`,
);

const insertDifferenceRow = statement<InsertOf<typeof registryDifference>>('registry.insertDifference', (p) =>
  registryDifference.insert(p),
);

const list = statement<OfBusiness, DifferenceRow>(
  'registry.differences',
  (p) => sql`
  SELECT ${differenceColumns} FROM registry_difference
    WHERE ${registryDifference.equal({ tenantId: p.tenantId, businessId: p.businessId, endedAt: null })} ORDER BY id`,
);

const find = statement<OfBusiness & { id: string }, DifferenceRow>(
  'registry.difference',
  (p) => sql`
  SELECT ${differenceColumns} FROM registry_difference
    WHERE ${registryDifference.equal({
      tenantId: p.tenantId,
      businessId: p.businessId,
      id: p.id,
      endedAt: null,
    })}`,
);

const end = statement<OfBusiness & { ids: readonly string[]; at: BusinessTime }>(
  'registry.end',
  (p) => sql`
  UPDATE registry_difference SET ${registryDifference.assign({ endedAt: p.at })}
    WHERE ${registryDifference.equal({ tenantId: p.tenantId, businessId: p.businessId })} AND id = ANY (${p.ids})`,
);

type Resolved = Pick<DifferenceRow, 'id' | 'resolution' | 'note' | 'resolvedAt' | 'resolvedBy'>;

const resolve = statement<{ tenantId: string } & Resolved>(
  'registry.resolve',
  (p) => sql`
  UPDATE registry_difference SET ${registryDifference.assign({
    resolution: p.resolution,
    note: p.note,
    resolvedAt: p.resolvedAt,
    resolvedBy: p.resolvedBy,
  })}
  WHERE ${registryDifference.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

/** Inserts an answer whose finding is sealed. */
export function insertAnswer(tx: Transaction, row: AnswerRow): void {
  void tx.run(insertAnswerRow, { ...row, tenantId: tx.tenantId! });
}

export async function latestAnswer(tx: Transaction, businessId: string): Promise<AnswerRow | null> {
  return (await tx.run(findLatest, { tenantId: tx.tenantId!, businessId }))[0] ?? null;
}

/** Inserts a difference whose texts are sealed. */
export function insertDifference(tx: Transaction, row: DifferenceRow): void {
  void tx.run(insertDifferenceRow, { ...row, tenantId: tx.tenantId! });
}

/** Lists the differences that there are now. */
export function listDifferences(tx: Transaction, businessId: string): Promise<DifferenceRow[]> {
  return tx.run(list, { tenantId: tx.tenantId!, businessId });
}

export async function findDifference(tx: Transaction, businessId: string, id: string): Promise<DifferenceRow | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, businessId, id }))[0] ?? null;
}

export function endDifferences(tx: Transaction, businessId: string, ids: readonly string[], at: BusinessTime): void {
  if (ids.length > 0)
    void tx.run(end, {
      tenantId: tx.tenantId!,
      businessId,
      ids,
      at,
    });
}

/** Stores a resolution whose note is sealed. */
export function storeResolution(tx: Transaction, { id, resolution, note, resolvedAt, resolvedBy }: Resolved): void {
  void tx.run(resolve, {
    tenantId: tx.tenantId!,
    id,
    resolution,
    note,
    resolvedAt,
    resolvedBy,
  });
}
