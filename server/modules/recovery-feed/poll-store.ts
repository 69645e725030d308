/**
 * Statements that read what the polling interval depends on. Used by read-feed.ts and, through the index, by
 * recoveries. Each is one lookup in a partial index, because every read of the feed runs them.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  type Fragment,
  joined,
  knex,
  type Parameter,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  type Transaction,
} from '../../database/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { type PollBasis, pollWindows, type Urgency } from './poll-schedule.ts';
import { type FeedKey, ofFeed } from './store.ts';
import { recovery } from './tables.ts';

const urgent = recovery.select('fundsRecoveryId', 'status', 'phaseBeganAt');

/** The open recovery that decides when to poll again. */
export interface MostUrgent extends RowOf<typeof urgent> {
  readonly urgency: Urgency;
}

type Windows = {
  lastHour: BusinessTime;
  day3From: BusinessTime;
  day3To: BusinessTime;
  day7From: BusinessTime;
  day7To: BusinessTime;
  limit72h: BusinessTime;
};

const awaitsAnalysis = (from: Parameter<BusinessTime>, to: Parameter<BusinessTime>): Fragment => sql`
  status = 'AWAITING_ANALYSIS' AND phase_began_at >= ${from}::timestamptz AND phase_began_at < ${to}::timestamptz`;

/**
 * Classes of urgency, the most urgent first. Each is one lookup in one partial index, so the cost does not grow with
 * the number of open recoveries.
 */
const urgencyClasses: readonly (readonly [Urgency, (p: ParametersOf<Windows>) => Fragment])[] = [
  ['fresh', (p) => sql`status IN ('CREATED', 'TRACKED') AND phase_began_at > ${p.lastHour}::timestamptz`],
  [
    'refund_closing',
    (p) => sql`
    status = 'ANALYSED' AND phase_began_at >= greatest(${p.day3From}::timestamptz, ${p.limit72h}::timestamptz)
      AND phase_began_at < ${p.day3To}::timestamptz`,
  ],
  ['hourly', (p) => sql`status = 'ANALYSED' AND phase_began_at >= ${p.day3To}::timestamptz`],
  ['hourly', (p) => awaitsAnalysis(p.day7From, p.day7To)],
  ['hourly', (p) => awaitsAnalysis(p.day3From, p.day3To)],
  ['hourly', () => sql`status IN ('CREATED', 'TRACKED', 'REFUNDING')`],
  ['open', () => sql`true`],
];

export const selectMostUrgent = statement<FeedKey & Windows, MostUrgent>('feed.mostUrgent', (p) => {
  const classes = urgencyClasses.map(
    ([urgency, condition], rank) => sql`(
    SELECT ${rank} AS rank, ${knex.raw(`'${urgency}'`)} AS urgency, ${urgent} FROM fr_recovery
    WHERE ${recovery.equal(ofFeed(p))} AND status NOT IN ('COMPLETED', 'CANCELLED') AND ${condition(p)}
    ORDER BY status, phase_began_at LIMIT 1)`,
  );
  return sql`${joined(classes, ' UNION ALL ')} ORDER BY rank LIMIT 1`;
});

/**
 * Reads the other inputs of the cadence. Each is one lookup in a partial index, so the cost does not grow with the
 * number of recoveries.
 */
export const selectPollFacts = statement<
  FeedKey & { businessTime: BusinessTime },
  { receivesReports: boolean; nextDeadlineAt: string | null }
>(
  'feed.pollFacts',
  (p) => sql`
  SELECT EXISTS (
    SELECT FROM fr_record WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND role <> 'SENT'
  ) AS "receivesReports", least((
    SELECT next_deadline_at FROM fr_record
    WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND next_deadline_at > ${p.businessTime}::timestamptz
    ORDER BY next_deadline_at LIMIT 1
  ), (
    SELECT next_notice_at FROM fr_record
    WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND next_notice_at > ${p.businessTime}::timestamptz
    ORDER BY next_notice_at LIMIT 1
  )) AS "nextDeadlineAt"`,
);

/** The most urgent open recovery, and the other inputs of the cadence. */
export interface PollFacts extends PollBasis {
  readonly mostUrgent: MostUrgent | null;
}

/**
 * Sends its statements at once, so that they travel with those of the caller. The settings can declare that the tenant
 * receives reports before the first one is recorded.
 */
export async function readPollFacts(
  tx: Transaction,
  tenantId: string,
  environment: Environment,
  businessTime: BusinessTime,
): Promise<PollFacts> {
  const { lastHour, day3, day7, limit72h } = pollWindows(businessTime);
  const windows = {
    lastHour,
    day3From: day3.from,
    day3To: day3.to,
    day7From: day7.from,
    day7To: day7.to,
    limit72h,
  };
  const [[mostUrgent = null], [facts], { fundsRecovery }] = await Promise.all([
    tx.run(selectMostUrgent, { tenantId, environment, ...windows }),
    tx.run(selectPollFacts, { tenantId, environment, businessTime }),
    readSettings(tx, tenantId),
  ]);
  return {
    businessTime,
    mostUrgent,
    urgency: mostUrgent?.urgency ?? null,
    nextDeadlineAt: facts?.nextDeadlineAt ?? null,
    receivesReports: fundsRecovery.receivesReports || facts?.receivesReports === true,
  };
}
