import { statement, type Transaction } from '../../database/index.ts';
import type { Environment } from '../../contract/principal.ts';
import { pollWindows, type Urgency } from './poll-schedule.ts';

/** The open recovery that decides when to poll again. */
export interface MostUrgent {
  readonly urgency: Urgency;
  readonly funds_recovery_id: string;
  readonly status: string;
  /** CREATED, TRACKED and AWAITING_ANALYSIS count from the creation. */
  readonly phase_began_at: string;
}

type Windows = { lastHour: Date; day3From: Date; day3To: Date; day7From: Date; day7To: Date; limit72h: Date };
type Values = { tenantId: string; env: string } & Windows;

/** The most urgent first. Each is one place of one partial index, so the answer costs the same however many recoveries are open. */
const classes: readonly (readonly [Urgency, string, readonly (keyof Windows)[]])[] = [
  ['fresh', `status IN ('CREATED', 'TRACKED') AND phase_began_at > ?::timestamptz`, ['lastHour']],
  ['refund_closing', `status = 'ANALYSED' AND phase_began_at >= greatest(?::timestamptz, ?::timestamptz) AND phase_began_at < ?::timestamptz`, ['day3From', 'limit72h', 'day3To']],
  ['hourly', `status = 'ANALYSED' AND phase_began_at >= ?::timestamptz`, ['day3To']],
  ['hourly', `status = 'AWAITING_ANALYSIS' AND phase_began_at >= ?::timestamptz AND phase_began_at < ?::timestamptz`, ['day7From', 'day7To']],
  ['hourly', `status = 'AWAITING_ANALYSIS' AND phase_began_at >= ?::timestamptz AND phase_began_at < ?::timestamptz`, ['day3From', 'day3To']],
  ['hourly', `status IN ('CREATED', 'TRACKED', 'REFUNDING')`, []],
  ['open', 'true', []],
];

export const findMostUrgent = statement<Values, MostUrgent>('feed.mostUrgent', (knex, p) => {
  const first = ([urgency, condition]: (typeof classes)[number], rank: number) => `(
    SELECT ${rank} AS rank, '${urgency}' AS urgency, funds_recovery_id, status, phase_began_at FROM fr_recovery
    WHERE tenant_id = ?::uuid AND env = ? AND status NOT IN ('COMPLETED', 'CANCELLED') AND ${condition}
    ORDER BY status, phase_began_at LIMIT 1)`;
  return knex.raw(`${classes.map(first).join(' UNION ALL ')} ORDER BY rank LIMIT 1`,
    classes.flatMap(([, , windows]) => [p.tenantId, p.env, ...windows.map((name) => p[name])]));
});

/** Null while nothing is open. Sent at once, so that it travels with what else its caller asks. */
export async function mostUrgent(tx: Transaction, tenantId: string, env: Environment, businessTime: Date): Promise<MostUrgent | null> {
  const { lastHour, day3, day7, limit72h } = pollWindows(businessTime);
  const [row] = await tx.run(findMostUrgent, { tenantId, env, lastHour, day3From: day3.from, day3To: day3.to, day7From: day7.from, day7To: day7.to, limit72h });
  return row ?? null;
}
