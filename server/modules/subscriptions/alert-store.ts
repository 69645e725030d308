/**
 * Table `monitoring_alert` and its statements: raising, repeating and triaging. Used by raise.ts and,
 * through the index, by monitoring and applications. The dedupe key decides what is the same alert; a wrong one floods
 * people or hides a finding.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  date,
  digest,
  double,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import { bySubject } from '../../rules/subject-rows.ts';
import { openedRow, sealedRow, sealingKey, unwrapped, wrappedKey } from '../subject-keys/index.ts';

type Schemas = components['schemas'];
export type AlertKind = Schemas['AlertKindFilter'];
export type Severity = Schemas['AlertSeverityFilter'];
export type AlertStatus = Schemas['AlertStatusFilter'];
type Outcome = Schemas['AlertTriage']['outcome'];

export const alert = table(
  'monitoring_alert',
  {
    tenantId: uuid(),
    id: uuid(),
    subscriptionId: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    kind: code<AlertKind>(),
    severity: code<Severity>().changes('another run finds the same again'),
    status: code<AlertStatus>().defaulted().changes('a user triages the alert, or a run resolves it'),
    // Key by which a repeated finding is the same alert.
    dedupeKey: digest(),
    occurrences: integer().defaulted().changes('another run finds the same again'),
    firstSeenAt: businessTimestamp(),
    lastSeenAt: businessTimestamp().changes('another run finds the same again'),
    slaDueAt: businessTimestamp().changes('another run finds the same again'),
    screeningId: uuid().nullable().changes('another run finds the same again'),
    hitId: uuid().nullable().changes('another run finds the same again'),
    listId: code().nullable(),
    // MAC of the entity and hash of the compared data, as in the hit.
    entityMac: digest().nullable(),
    entityHash: digest().nullable(),
    score: double().nullable().changes('another run finds the same again'),
    scoreBefore: double().nullable().changes('another run finds the same again'),
    documentId: uuid().nullable(),
    powerId: uuid().nullable(),
    dueOn: date().nullable(),
    // States of a business: the one that was accepted last, and the one that was found.
    stateBefore: code().nullable(),
    stateAfter: code().nullable(),
    outcome: code<Outcome>().nullable().defaulted().changes('a user triages the alert'),
    reasonCode: code<Schemas['AlertTriage']['reasonCode']>().nullable().defaulted().changes('a user triages the alert'),
    note: text()
      .nullable()
      .sealed()
      .erasedTo(sql`CASE WHEN note IS NOT NULL THEN '' END`)
      .defaulted()
      .changes('a user triages the alert'),
    triagedBy: actor().nullable().defaulted().changes('a user triages the alert'),
    triagedAt: businessTimestamp().nullable().defaulted().changes('a user triages the alert'),
    caseId: uuid().nullable().defaulted().changes('an escalation opens or joins a case'),
    announcedAt: timestamp().named('told_at').nullable().defaulted().changes('a letter has announced the alert'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      kind: 'sanctions',
      severity: 'high',
      stateBefore: null,
      stateAfter: null,
    },
  },
);

const own = alert.except('tenantId', 'dedupeKey', 'entityMac', 'entityHash', 'announcedAt');
/** Columns of an alert with the key of its subject, which seals its note. */
export const alertColumns = sql`${own}, coalesce(
  ${wrappedKey('application', sql`monitoring_alert.tenant_id`, sql`monitoring_alert.application_id`)},
  ${wrappedKey('business', sql`monitoring_alert.tenant_id`, sql`monitoring_alert.business_id`)}) AS wrapped`;
export type AlertRow = RowOf<typeof own> & { readonly wrapped: Buffer | null };
export type Alert = RowOf<typeof own>;

type Key = { tenantId: string; id: string };

const ofAlert = alert.select('environment', 'applicationId', 'businessId', 'status');

const find = statement<Key, RowOf<typeof ofAlert>>(
  'alert.find',
  (p) => sql`SELECT ${ofAlert} FROM monitoring_alert WHERE ${alert.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, AlertRow>(
  'alert.lock',
  (p) =>
    sql`SELECT ${alertColumns} FROM monitoring_alert WHERE ${alert.equal({ tenantId: p.tenantId, id: p.id })}
      FOR UPDATE`,
);

/**
 * Raises an alert or repeats it. A resolved alert is reopened; one that a person dismissed stays dismissed. Each
 * screening that repeats it counts once.
 */
const raiseOrRepeat = bySubject((member, kind) =>
  statement<InsertOf<typeof alert>, { id: string; isNew: boolean }>(
    `alert.raise.${kind}`,
    (p) => sql`
  ${alert.insert(p)} ON CONFLICT (${alert.list('tenantId', member, 'dedupeKey')}) DO UPDATE
    SET ${alert.assignExcluded('lastSeenAt', 'screeningId', 'hitId', 'score', 'scoreBefore', 'severity')},
    occurrences = monitoring_alert.occurrences + (monitoring_alert.screening_id
      IS DISTINCT FROM excluded.screening_id)::integer, status = CASE monitoring_alert.status WHEN 'resolved'
      THEN 'open' ELSE monitoring_alert.status END,
    sla_due_at = CASE monitoring_alert.status WHEN 'resolved' THEN excluded.sla_due_at
      ELSE monitoring_alert.sla_due_at END,
    told_at = CASE monitoring_alert.status WHEN 'resolved' THEN NULL ELSE monitoring_alert.told_at END
  WHERE monitoring_alert.status = 'resolved' OR monitoring_alert.screening_id IS DISTINCT FROM excluded.screening_id
  RETURNING id, (xmax = 0) AS "isNew"`,
  ),
);

const triage = statement<
  Key & {
    status: AlertStatus;
    outcome: Outcome;
    reasonCode: Schemas['AlertTriage']['reasonCode'];
    note: string;
    by: Schemas['Actor'];
    at: BusinessTime;
  }
>(
  'alert.triage',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({
    status: p.status,
    outcome: p.outcome,
    reasonCode: p.reasonCode,
    note: p.note,
    triagedBy: p.by,
    triagedAt: p.at,
  })}
  WHERE ${alert.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const markAnnounced = statement<{ tenantId: string; now: RealTime }, { severity: Severity; slaDueAt: string }>(
  'alert.tell',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ announcedAt: p.now })}
  WHERE ${alert.equal({ tenantId: p.tenantId, environment: 'live', status: 'open' })} AND told_at IS NULL
    AND severity IN ('high', 'critical') RETURNING ${alert.select('severity', 'slaDueAt')}`,
);

/** Finding about an applicant on a list. */
interface FoundOnList {
  readonly listId: string;
  readonly entityMac: Buffer;
  readonly entityHash: Buffer;
}

/**
 * Returns the dedupe key of a finding. The same entity with the same compared data is the same alert; if its names
 * change, the alert is another one.
 */
export function dedupeKeyOf({ listId, entityMac, entityHash }: FoundOnList): Buffer {
  return createHash('sha256').update(`${listId}\n`).update(entityMac).update(entityHash).digest();
}

/**
 * Raises an alert, or records that it was found again. Returns null if nothing changes, because the same screening has
 * raised it already.
 */
export async function raiseAlert(
  tx: Transaction,
  row: Omit<InsertOf<typeof alert>, 'tenantId' | 'id' | 'firstSeenAt' | 'lastSeenAt'>,
  at: BusinessTime,
): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
  const [raised] = await tx.run(raiseOrRepeat(subjectNamedBy(row)), {
    ...row,
    tenantId: tx.tenantId!,
    id: uuidv7(),
    firstSeenAt: at,
    lastSeenAt: at,
  });
  return raised ?? null;
}

/** Finds which subject and environment an alert belongs to, and whether it is closed. */
export async function findAlert(tx: Transaction, id: string): Promise<RowOf<typeof ofAlert> | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Locks an alert until the end of the transaction, and returns it with its note. */
export async function lockAlert(tx: Transaction, id: string): Promise<Alert | null> {
  const [row] = await tx.run(lock, { tenantId: tx.tenantId!, id });
  return row === undefined ? null : openedAlert(tx, row);
}

/** Opens the note of an alert, which is empty after an erasure. */
export function openedAlert(tx: Transaction, { wrapped, ...row }: AlertRow): Alert {
  if (row.note === null) return row;
  const key = wrapped === null ? null : unwrapped(tx, keyOwnerOf(row), wrapped);
  return key === null || row.note === '' ? { ...row, note: '' } : openedRow(alert, row, key);
}

/** Returns the owner of the key that seals the note of an alert. */
function keyOwnerOf(row: Pick<Alert, 'applicationId' | 'businessId'>): Parameters<typeof unwrapped>[1] {
  const { kind: type, id } = subjectNamedBy(row);
  return { type, id };
}

type Verdict = Readonly<Schemas['AlertTriage']> & {
  readonly status: AlertStatus;
  readonly by: Schemas['Actor'];
  readonly at: BusinessTime;
};

export async function recordTriage(
  tx: Transaction,
  { id, environment, ...row }: Alert,
  { note, ...verdict }: Verdict,
): Promise<void> {
  const { kind: type, id: subjectId } = subjectNamedBy(row);
  const key = await sealingKey(tx, { type, id: subjectId }, { environment, now: verdict.at });
  await tx.run(triage, { ...verdict, ...sealedRow(alert, { id, note }, key), tenantId: tx.tenantId! });
}

/** Returns urgent open live alerts that no letter has announced, and marks them as announced. */
export function takeUnannounced(tx: Transaction, now: RealTime): Promise<{ severity: Severity; slaDueAt: string }[]> {
  return tx.run(markAnnounced, { tenantId: tx.tenantId!, now });
}
