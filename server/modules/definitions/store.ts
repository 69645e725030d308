/**
 * Tables `definition` and its activations, and their statements. Used by the two files of rules in this module and
 * exported in part by the index. Statements change rows without checking the status; the callers check it under a lock.
 */
import type { RealTime } from '../../base/time.ts';
import type { Json } from '../../base/canonical-json.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';

/** Kinds of versioned rule documents. Each kind belongs to one module, which validates its content. */
export type DefinitionKind = 'risk_model' | 'reference_list' | 'workflow' | 'decision_table';

/**
 * Status of a version; `retired` is final. If the reviewer returns a request for activation, or the test results
 * changed after it (`stale`), the version becomes a draft again.
 */
export type DefinitionStatus = 'draft' | 'pending_activation' | 'active' | 'retired';

const STATUS_CHANGED =
  'the activation of the definition is requested, confirmed or returned, or the definition is retired';
const REVISED = 'the author revises the draft';

export const definition = table(
  'definition',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    kind: code<DefinitionKind>(),
    // Versions with the same key form a series; at most one of them is active.
    key: code(),
    number: integer(),
    status: code<DefinitionStatus>().changes(STATUS_CHANGED),
    document: json<Json>().impersonal('rules of the tenant that apply to all subjects alike').changes(REVISED),
    checksum: code().changes(REVISED),
    createdBy: actor(),
    createdAt: timestamp(),
    activatedAt: timestamp().nullable().changes(STATUS_CHANGED),
    retiredAt: timestamp().nullable().defaulted().changes(STATUS_CHANGED),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: timestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      kind: 'risk_model',
      key: 'application',
      status: 'draft',
      document: {},
      checksum: '0'.repeat(64),
    },
  },
);

const columns = definition.except('tenantId');
export type Definition = RowOf<typeof columns>;

/** Identifies a series of versions. */
export type DefinitionName = {
  readonly environment: Environment;
  readonly kind: DefinitionKind;
  readonly key: string;
};

type Series = DefinitionName & { tenantId: string };
type RowId = { tenantId: string; id: string };

const insertVersion = statement<InsertOf<typeof definition>>('definition.insert', (p) => definition.insert(p));

const findVersion = statement<RowId, Definition>(
  'definition.find',
  (p) => sql`SELECT ${columns} FROM definition WHERE ${definition.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lockVersion = statement<RowId, Definition>(
  'definition.lock',
  (p) =>
    sql`SELECT ${columns} FROM definition WHERE ${definition.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const listSeries = statement<Series, Definition>(
  'definition.list',
  (p) => sql`
  SELECT ${columns} FROM definition
    WHERE ${definition.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      kind: p.kind,
      key: p.key,
    })}
    ORDER BY number DESC`,
);

const findActive = statement<Series, Definition>(
  'definition.active',
  (p) => sql`
  SELECT ${columns} FROM definition WHERE ${definition.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    kind: p.kind,
    key: p.key,
    status: 'active',
  })}`,
);

const highestNumber = statement<Series, { number: number }>(
  'definition.highestNumber',
  (p) => sql`
  SELECT coalesce(max(number), 0) AS number FROM definition
    WHERE ${definition.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      kind: p.kind,
      key: p.key,
    })}`,
);

const updateDocument = statement<RowId & { document: Json; checksum: string; now: RealTime }>(
  'definition.revise',
  (p) => sql`
  UPDATE definition SET ${definition.revise(p.now, { document: p.document, checksum: p.checksum })}
    WHERE ${definition.equal({ tenantId: p.tenantId, id: p.id, status: 'draft' })}`,
  { expectRows: 1 },
);

type StatusUpdate = RowId & {
  status: DefinitionStatus;
  activatedAt: string | Date | null;
  retiredAt: string | Date | null;
  now: RealTime;
};

const updateStatus = statement<StatusUpdate>(
  'definition.change',
  (p) => sql`
  UPDATE definition SET ${definition.revise(p.now, {
    status: p.status,
    activatedAt: p.activatedAt,
    retiredAt: p.retiredAt,
  })}
    WHERE ${definition.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

export function insertDefinition(tx: Transaction, row: InsertOf<typeof definition>): void {
  void tx.run(insertVersion, row);
}

export async function findDefinition(tx: Transaction, id: string): Promise<Definition | null> {
  return (await tx.run(findVersion, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Finds a definition and locks it until the end of the transaction. */
export async function lockDefinition(tx: Transaction, id: string): Promise<Definition | null> {
  return (await tx.run(lockVersion, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Lists the versions of a series, the newest first. */
export function definitionsOf(tx: Transaction, name: DefinitionName): Promise<Definition[]> {
  return tx.run(listSeries, { tenantId: tx.tenantId!, ...name });
}

export async function activeDefinition(tx: Transaction, name: DefinitionName): Promise<Definition | null> {
  return (await tx.run(findActive, { tenantId: tx.tenantId!, ...name }))[0] ?? null;
}

/** Returns the number of the next version. The caller must already hold the advisory lock of the series. */
export async function nextNumber(tx: Transaction, name: DefinitionName): Promise<number> {
  return (await tx.run(highestNumber, { tenantId: tx.tenantId!, ...name }))[0]!.number + 1;
}

export function replaceDocument(
  tx: Transaction,
  id: string,
  content: Pick<Definition, 'document' | 'checksum'>,
  now: RealTime,
): void {
  void tx.run(updateDocument, {
    tenantId: tx.tenantId!,
    id,
    ...content,
    now,
  });
}

export function setStatus(
  tx: Transaction,
  { id, activatedAt, retiredAt }: Pick<Definition, 'id' | 'activatedAt' | 'retiredAt'>,
  status: DefinitionStatus,
  now: RealTime,
): Promise<unknown> {
  return tx.run(updateStatus, {
    tenantId: tx.tenantId!,
    id,
    status,
    activatedAt: status === 'active' ? now : activatedAt,
    retiredAt: status === 'retired' ? now : retiredAt,
    now,
  });
}

/**
 * A request to activate one version, with its test results. The review and the version's status tell whether it was
 * confirmed.
 */
export const activation = table(
  'definition_activation',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    definitionId: uuid(),
    checksum: code(),
    evidence: json<Json>().impersonal('results of the tests of the document, and a note about it'),
    createdAt: timestamp(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { checksum: '0'.repeat(64), evidence: {} },
  },
);

const activationColumns = activation.except('tenantId');
export type Activation = RowOf<typeof activationColumns>;

const insertActivationRow = statement<InsertOf<typeof activation>>('definition.requestActivation', (p) =>
  activation.insert(p),
);

const findActivationRow = statement<RowId, Activation>(
  'definition.activation',
  (p) =>
    sql`SELECT ${activationColumns} FROM definition_activation
      WHERE ${activation.equal({ tenantId: p.tenantId, id: p.id })}`,
);

export function insertActivation(tx: Transaction, row: InsertOf<typeof activation>): void {
  void tx.run(insertActivationRow, row);
}

export async function findActivation(tx: Transaction, id: string): Promise<Activation | null> {
  return (await tx.run(findActivationRow, { tenantId: tx.tenantId!, id }))[0] ?? null;
}
