/**
 * Pages of applications with what their requirements need, and the lock by which lists in the order of changes miss
 * nothing. Used by handlers and all writers of applications. A writer that does not call `writingDelay` may date a
 * change before a page that a client has read, and the client never sees it.
 */
import type { RealTime } from '../../../base/time.ts';
import type { Environment } from '../../../contract/operation.ts';
import { every, type Fragment, keyset, sql, statement, type Transaction } from '../../../database/index.ts';
import { lockKey } from '../../../database/advisory-lock.ts';
import type { Position } from '../../../request/pagination.ts';
import { attestation } from '../../decisions/index.ts';
import { openedRow, unwrapped } from '../../subject-keys/index.ts';
import type { Basis } from '../evidence/requirement-rules.ts';
import { currentRiskOf, type CurrentRisk } from '../evidence/risk-store.ts';
import { newestScreeningOf, openedScreening, type StoredScreening } from '../evidence/screening-store.ts';
import { openedVerifications, verificationsOf } from '../evidence/verification-store.ts';
import type { ApplicationRecord } from './application.ts';
import { opened } from './person-store.ts';
import { application, applicationRecord, type StoredApplication } from './store.ts';

export interface Filter {
  readonly environment: Environment;
  readonly statuses: readonly ApplicationRecord['status'][];
  readonly level?: ApplicationRecord['level'] | undefined;
  readonly riskLevels: readonly CurrentRisk['effectiveLevel'][];
  readonly externalId?: string | undefined;
  readonly taxIdMac?: Buffer | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export interface Order {
  readonly by: 'createdAt' | 'updatedAt' | 'riskScore';
  readonly direction: 'asc' | 'desc';
}

/**
 * Page of applications in the order of an index that starts with tenant and environment. In the order of the risk
 * score, it is the index of the current assessments, so applications without one are left out.
 */
export interface ApplicationPage {
  readonly order: Order;
  readonly after: Position | null;
  readonly count: number;
}

export interface Listed {
  readonly record: ApplicationRecord;
  readonly basis: Omit<Basis, 'policy'>;
}

type StoredAttestation = Listed['basis']['attestations'][number] & { readonly id: string };
type Row = StoredApplication & {
  readonly basis: Omit<Listed['basis'], 'screening' | 'attestations'> & {
    readonly screening: StoredScreening | null;
    readonly attestations: readonly StoredAttestation[];
  };
};

/** Expression that reads, with each row, the data from which its requirements are computed. */
const BASIS = sql`jsonb_build_object(
  'documents', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'type', d.type, 'status', d.status,
      'expiresOn', d.expires_on)), '[]')
    FROM document d WHERE d.tenant_id = application.tenant_id AND d.application_id = application.id
      AND d.case_id IS NULL),
  'consents', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('action', c.action, 'purpose', c.purpose, 'capturedAt', c.captured_at)
      ORDER BY c.sequence DESC), '[]')
    FROM consent c WHERE c.tenant_id = application.tenant_id AND c.application_id = application.id),
  'waivers', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('action', w.action, 'requirementKey', w.requirement_key)
      ORDER BY w.sequence DESC), '[]')
    FROM waiver w WHERE w.tenant_id = application.tenant_id AND w.application_id = application.id),
  'attestations', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'requirementKey', a.requirement_key, 'outcome', a.outcome,
      'lookedUpAt', a.looked_up_at, 'subject', a.subject) ORDER BY a.sequence DESC), '[]')
    FROM attestation a WHERE a.tenant_id = application.tenant_id AND a.application_id = application.id),
  'verifications', ${verificationsOf(sql`application.tenant_id`, sql`application.id`)},
  'screening', ${newestScreeningOf(sql`application.tenant_id`, sql`application.id`)},
  'risk', ${currentRiskOf(sql`application.tenant_id`, sql`application.id`)}
)`;

/** Lists at most `count` rows after the position, in the order of an index that starts with tenant and environment. */
export async function listApplications(
  tx: Transaction,
  tenantId: string,
  filter: Filter,
  page: ApplicationPage,
): Promise<Listed[]> {
  const rows = await tx.query<Row>(listQuery(tenantId, filter, page));
  return rows.map(({ basis, ...row }) => ({
    record: opened(tx, row),
    basis: {
      ...basis,
      attestations: openedAttestations(tx, row, basis.attestations),
      verifications: openedVerifications(tx, row.id, basis.verifications, row.wrapped),
      screening: openedScreening(tx, row.id, basis.screening, row.wrapped),
    },
  }));
}

/** Unseals the subjects of the attestations that are read with a row of a list. */
function openedAttestations(
  tx: Transaction,
  { id, wrapped }: Pick<Row, 'id' | 'wrapped'>,
  stored: Row['basis']['attestations'],
): Row['basis']['attestations'] {
  if (stored.length === 0 || wrapped === null) return stored;
  const key = unwrapped(tx, { type: 'application', id }, wrapped);
  return stored.map((one) => openedRow(attestation, one, key));
}

/** Applications with their current risk assessment, under names that no column of an application has. */
const ASSESSED = sql`application JOIN (
  SELECT tenant_id AS risk_tenant, application_id AS risk_of, environment AS risk_environment, id AS risk_id,
    score AS risk_score, effective_level AS risk_level
  FROM risk_assessment WHERE superseded_by_id IS NULL AND erased_at IS NULL) AS risk
  ON risk_tenant = tenant_id AND risk_of = id AND risk_environment = environment`;

export function listQuery(
  tenantId: string,
  filter: Filter,
  { order: { by, direction }, after, count }: ApplicationPage,
): Fragment {
  const {
    environment,
    statuses,
    level,
    riskLevels,
    externalId,
    taxIdMac,
    createdAfter,
    createdBefore,
    updatedAfter,
    updatedBefore,
  } = filter;
  const [createdAt, updatedAt] = [application.column('createdAt'), application.column('updatedAt')];
  const isByScore = by === 'riskScore';
  const page = keyset(
    {
      key: isByScore ? sql`risk_score` : application.column(by),
      type: isByScore ? sql`integer` : sql`timestamptz`,
      id: isByScore ? sql`risk_id` : sql`id`,
      direction,
    },
    after,
  );
  const isAssessed = isByScore || riskLevels.length > 0;
  return sql`
    SELECT ${applicationRecord}, ${BASIS} AS basis FROM ${isAssessed ? ASSESSED : sql`application`}
    WHERE ${every([
      application.equal({ tenantId, environment, erasedAt: null }),
      riskLevels.length > 0 && sql`risk_level = ANY (${riskLevels})`,
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      level !== undefined && application.equal({ level }),
      externalId !== undefined && application.equal({ externalId }),
      taxIdMac !== undefined && application.equal({ taxIdMac }),
      createdAfter !== undefined && sql`${createdAt} >= ${createdAfter}`,
      createdBefore !== undefined && sql`${createdAt} < ${createdBefore}`,
      updatedAfter !== undefined && sql`${updatedAt} >= ${updatedAfter}`,
      updatedBefore !== undefined && sql`${updatedAt} < ${updatedBefore}`,
      page.after,
    ])}
    ORDER BY ${page.order} LIMIT ${count}`;
}

/** Name of the advisory lock that the writers of a tenant hold. They share the lock, so no writer waits. */
const WRITERS = 'application writers';

const begin = statement<{ tenantId: string }, { at: string }>(
  'application.beginWriting',
  (p) => sql`
  SELECT clock_timestamp() AS at
    FROM (SELECT pg_advisory_xact_lock_shared(${lockKey(WRITERS, p.tenantId)}) AS held OFFSET 0) AS first
    WHERE held IS NOT NULL`,
);

const writers = statement<{ tenantId: string }, { before: string }>(
  'application.writers',
  (p) => sql`
  SELECT least(now(), (
    SELECT min(a.xact_start) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1
      AND (l.classid::bigint << 32 | l.objid::bigint) = ${lockKey(WRITERS, p.tenantId)}
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))) AS before`,
);

/** Returns how far the clock of the service is ahead of the system clock: 0 unless a test has moved the clock. */
function clockLead(now: RealTime): number {
  return Math.max(0, Math.ceil((now.getTime() - Date.now()) / 1000) * 1000);
}

/**
 * Takes the shared lock of the writers, and returns by how much the changes of this transaction are later than `now`,
 * according to the clock of the database. So no change is dated before the moment since which other transactions can
 * see this writer, whichever replica writes and whatever its clock says.
 */
export async function writingDelay(tx: Transaction, now: RealTime): Promise<number> {
  const [row] = await tx.run(begin, { tenantId: tx.tenantId! });
  return Date.parse(row!.at) + clockLead(now) - now.getTime();
}

/**
 * Returns an instant before which all changes are committed and visible to statements that are sent from now on. No
 * later commit is dated before this instant.
 */
export async function settledUntil(tx: Transaction, now: RealTime): Promise<Date> {
  const [row] = await tx.run(writers, { tenantId: tx.tenantId! });
  return new Date(Date.parse(row!.before) + clockLead(now));
}
