/**
 * The table of verifications, with the statements of one row. Used by this module; applications and risk read the table
 * by statements of their own. Sealed columns are opened here only.
 */
import type { KeyObject } from 'node:crypto';
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type {
  Proven,
  ProviderErrorCode,
  RegistrySource,
  VerificationType,
  WantedOutcome,
} from '../../providers/verification/index.ts';
import { openedRow, sealedRow, unwrapped, wrappedKey } from '../subject-keys/index.ts';

type Schemas = components['schemas'];
export type Status = Schemas['Verification']['status'];
export type Result = Schemas['VerificationResult'];
export type Override = Schemas['VerificationOverride'];

const RUN = 'the task of the verification begins or ends';
const OVERRIDDEN = 'a compliance officer overrides the result';

/** Verifications. Texts that may name the applicant are JSON, sealed under the key of the application. */
export const verification = table(
  'verification',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid(),
    type: code<VerificationType>(),
    registrySource: code<RegistrySource>().nullable(),
    proves: code<Proven>(),
    documentIds: json<readonly Uuid[]>().impersonal('ids of documents'),
    selfieDocumentId: uuid().nullable(),
    challengeId: uuid().nullable(),
    mrzLines: text().nullable().sealed().erasedTo(null),
    // Identifying data of the applicant when the verification was started.
    subject: text().sealed().erasedTo(''),
    wantedOutcome: code<WantedOutcome>().nullable(),
    legalBasisConsentId: uuid().nullable(),
    status: code<Status>().changes(RUN),
    attempt: integer(),
    result: text().nullable().defaulted().sealed().erasedTo(null).changes(RUN),
    errorCode: code<ProviderErrorCode>().nullable().defaulted().changes(RUN),
    override: text().nullable().defaulted().sealed().erasedTo(null).changes(OVERRIDDEN),
    overriddenTo: code<Override['result']>().nullable().defaulted().changes(OVERRIDDEN),
    expiresAt: businessTimestamp().nullable().defaulted().changes(RUN),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    startedAt: businessTimestamp().nullable().defaulted().changes(RUN),
    finishedAt: businessTimestamp().nullable().defaulted().changes(RUN),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the application is erased'),
  },
  {
    owner: 'application',
    timeline: {
      'verification.started': null,
      'verification.finished': null,
      'verification.cancelled': null,
      'verification.overridden': null,
    },
    sandboxReset: { emptiedBefore: 'liveness_challenge' },
    insertedBy: 'app',
    example: {
      type: 'document_ocr',
      registrySource: null,
      proves: 'identity',
      documentIds: [],
      challengeId: null,
      wantedOutcome: null,
      status: 'queued',
      attempt: 1,
    },
  },
);

const columns = verification.except('tenantId', 'erasedAt');
const FRAMES = sql`(SELECT count(*)::integer FROM liveness_frame f WHERE f.tenant_id = verification.tenant_id
  AND f.challenge_id = verification.challenge_id AND f.content IS NOT NULL)`;
/**
 * Columns of a row, with the number of its frames and the key that opens it. Without a key the application was erased.
 */
export const verificationColumns = sql`${columns}, ${FRAMES} AS "frameCount",
  ${wrappedKey('application', sql`verification.tenant_id`, sql`verification.application_id`)} AS wrapped`;
export type VerificationRow = RowOf<typeof columns> & {
  readonly frameCount: number;
  readonly wrapped: Buffer | null;
};
export type ReadableRow = VerificationRow & { readonly wrapped: Buffer };

/** A verification whose texts are open. */
export type VerificationRecord = Omit<VerificationRow, 'mrzLines' | 'result' | 'override' | 'wrapped'> & {
  readonly mrzLines: readonly string[] | null;
  readonly result: Result | null;
  readonly override: Override | null;
};

type Key = { tenantId: string; id: string };

const find = statement<Key, VerificationRow>(
  'verification.find',
  (p) => sql`
  SELECT ${verificationColumns} FROM verification WHERE ${verification.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const insert = statement<InsertOf<typeof verification>>('verification.insert', (p) => verification.insert(p));

const countOfType = statement<
  {
    tenantId: string;
    applicationId: string;
    type: string;
    registrySource: string | null;
    proves: Proven;
  },
  { used: number; errors: number }
>(
  'verification.countOfType',
  (p) => sql`
  SELECT count(*) FILTER (WHERE status NOT IN ('error', 'cancelled'))::integer AS used,
    count(*) FILTER (WHERE status = 'error')::integer AS errors
  FROM verification WHERE ${verification.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
    AND type = ${p.type} AND registry_source IS NOT DISTINCT FROM ${p.registrySource}::text
    AND proves = ${p.proves}`,
);

const begin = statement<Key & { at: BusinessTime }>(
  'verification.begin',
  (p) => sql`
  UPDATE verification SET status = 'processing', started_at = coalesce(started_at, ${p.at}::timestamptz)
  WHERE ${verification.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const end = statement<
  Key & {
    status: Status;
    result: string | null;
    errorCode: ProviderErrorCode | null;
    expiresAt: BusinessTime | null;
    at: BusinessTime;
  }
>(
  'verification.end',
  (p) => sql`
  UPDATE verification SET ${verification.assign({
    status: p.status,
    result: p.result,
    errorCode: p.errorCode,
    expiresAt: p.expiresAt,
    finishedAt: p.at,
  })} WHERE ${verification.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const setOverride = statement<Key & { override: string; overriddenTo: Override['result'] }>(
  'verification.override',
  (p) => sql`
  UPDATE verification SET ${verification.assign({ override: p.override, overriddenTo: p.overriddenTo })}
  WHERE ${verification.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const cancel = statement<
  {
    tenantId: string;
    applicationId: string;
    types: readonly VerificationType[];
    at: BusinessTime;
  },
  { id: Uuid; type: VerificationType }
>(
  'verification.cancel',
  (p) => sql`
  UPDATE verification SET status = 'cancelled', finished_at = ${p.at}::timestamptz
  WHERE ${verification.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} AND type = ANY (${p.types})
    AND status IN ('queued', 'processing')
  RETURNING ${verification.select('id', 'type')}`,
);

export const isReadable = (row: VerificationRow): row is ReadableRow => row.wrapped !== null;

/** Returns the key of the application of a verification. */
export function keyOf(tx: Transaction, { applicationId, wrapped }: ReadableRow): KeyObject {
  return unwrapped(tx, { type: 'application', id: applicationId }, wrapped);
}

export function opened(tx: Transaction, row: ReadableRow): VerificationRecord {
  const { wrapped: _, mrzLines, result, override, ...own } = openedRow(verification, row, keyOf(tx, row));
  return {
    ...own,
    mrzLines: mrzLines === null ? null : (JSON.parse(mrzLines) as string[]),
    result: result === null ? null : (JSON.parse(result) as Result),
    override: override === null ? null : (JSON.parse(override) as Override),
  };
}

/** Finds a verification, whose environment is known even if its application is erased. */
export async function findVerification(tx: Transaction, id: string): Promise<VerificationRow | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** New verification before its texts are sealed. */
export type NewVerification = Omit<InsertOf<typeof verification>, 'mrzLines' | 'tenantId' | 'status'> & {
  readonly mrzLines: readonly string[] | null;
};

export function insertVerification(tx: Transaction, record: NewVerification, key: KeyObject): void {
  const mrzLines = record.mrzLines === null ? null : JSON.stringify(record.mrzLines);
  const row = sealedRow(verification, { ...record, mrzLines, status: 'queued' as const }, key);
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Counts the attempts of a type that have or may get an answer, and the errors of its provider. */
export async function countOf(
  tx: Transaction,
  of: Pick<VerificationRecord, 'applicationId' | 'type' | 'registrySource' | 'proves'>,
): Promise<{ readonly used: number; readonly errors: number }> {
  const { applicationId, type, registrySource, proves } = of;
  return (
    await tx.run(countOfType, {
      tenantId: tx.tenantId!,
      applicationId,
      type,
      registrySource,
      proves,
    })
  )[0]!;
}

export function beginVerification(tx: Transaction, id: string, at: BusinessTime): void {
  void tx.run(begin, { tenantId: tx.tenantId!, id, at });
}

/** Result or error with which a verification ends. */
export interface Ending {
  readonly status: Status;
  readonly result: Result | null;
  readonly errorCode: ProviderErrorCode | null;
  readonly expiresAt: BusinessTime | null;
}

export function endVerification(
  tx: Transaction,
  id: string,
  { result, ...ending }: Ending,
  { key, at }: { readonly key: KeyObject; readonly at: BusinessTime },
): void {
  const sealed = sealedRow(verification, { id, result: result === null ? null : JSON.stringify(result) }, key);
  void tx.run(end, {
    tenantId: tx.tenantId!,
    ...ending,
    ...sealed,
    at,
  });
}

export function storeOverride(tx: Transaction, id: string, override: Override, key: KeyObject): void {
  const sealed = sealedRow(verification, { id, override: JSON.stringify(override) }, key);
  void tx.run(setOverride, { tenantId: tx.tenantId!, ...sealed, overriddenTo: override.result });
}

/** Cancels the verifications of these types that have not ended. The caller holds the lock on the application. */
export function cancelOfTypes(
  tx: Transaction,
  applicationId: string,
  types: readonly VerificationType[],
  at: BusinessTime,
): Promise<{ readonly id: Uuid; readonly type: VerificationType }[]> {
  return tx.run(cancel, {
    tenantId: tx.tenantId!,
    applicationId,
    types,
    at,
  });
}
