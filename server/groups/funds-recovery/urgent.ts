import { joined, knex, sql, statement, type Fragment, type ParametersOf, type Transaction } from '../../database/index.ts';
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
const classes: readonly (readonly [Urgency, (p: ParametersOf<Windows>) => Fragment])[] = [
  ['fresh', (p) => sql`status IN ('CREATED', 'TRACKED') AND phase_began_at > ${p.lastHour}::timestamptz`],
  ['refund_closing', (p) => sql`
    status = 'ANALYSED' AND phase_began_at >= greatest(${p.day3From}::timestamptz, ${p.limit72h}::timestamptz) AND phase_began_at < ${p.day3To}::timestamptz`],
  ['hourly', (p) => sql`status = 'ANALYSED' AND phase_began_at >= ${p.day3To}::timestamptz`],
  ['hourly', (p) => sql`status = 'AWAITING_ANALYSIS' AND phase_began_at >= ${p.day7From}::timestamptz AND phase_began_at < ${p.day7To}::timestamptz`],
  ['hourly', (p) => sql`status = 'AWAITING_ANALYSIS' AND phase_began_at >= ${p.day3From}::timestamptz AND phase_began_at < ${p.day3To}::timestamptz`],
  ['hourly', () => sql`status IN ('CREATED', 'TRACKED', 'REFUNDING')`],
  ['open', () => sql`true`],
];

export const findMostUrgent = statement<Values, MostUrgent>('feed.mostUrgent', (p) => sql`${joined(classes.map(([urgency, condition], rank) => sql`(
    SELECT ${rank} AS rank, ${knex.raw(`'${urgency}'`)} AS urgency, funds_recovery_id, status, phase_began_at FROM fr_recovery
    WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND status NOT IN ('COMPLETED', 'CANCELLED') AND ${condition(p)}
    ORDER BY status, phase_began_at LIMIT 1)`), ' UNION ALL ')} ORDER BY rank LIMIT 1`);

/** Null while nothing is open. Sent at once, so that it travels with what else its caller asks. */
export async function mostUrgent(tx: Transaction, tenantId: string, env: Environment, businessTime: Date): Promise<MostUrgent | null> {
  const { lastHour, day3, day7, limit72h } = pollWindows(businessTime);
  const [row] = await tx.run(findMostUrgent, { tenantId, env, lastHour, day3From: day3.from, day3To: day3.to, day7From: day7.from, day7To: day7.to, limit72h });
  return row ?? null;
}
