import type { Environment } from '../../contract/principal.ts';
import { appendAudit } from '../../database/index.ts';
import { changesIn, type Observation } from './checklist.ts';
import type { StepContext } from './step.ts';
import { STEPS } from './steps.ts';
import { complete, findRows, findTenant, lockSteps, regress } from './store.ts';

export interface Observing extends StepContext {
  readonly environment: Environment;
  readonly requestId: string;
}

/** Nobody did it by looking: what the event is about was done by somebody else, and is recorded as theirs. */
const ACTOR = { type: 'system', id: 'onboarding', display: 'Onboarding checklist', impersonatorId: null } as const;

/**
 * How things stand, and that it is remembered. Reading is without locks as long as nothing has changed; otherwise
 * readers come one after the other and look again, so that of many who see a change one records it.
 */
export async function observe(ctx: Observing): Promise<Observation> {
  const seen = await look(ctx);
  if (isRemembered(seen)) return seen;
  await ctx.tx.run(lockSteps, { tenantId: ctx.tenantId });
  const now = await look(ctx);
  if (isRemembered(now)) return now;
  record(ctx, now);
  return { ...now, rows: await rowsOf(ctx) };
}

async function look(ctx: Observing): Promise<Observation> {
  const [[tenant], rows, found] = await Promise.all([
    ctx.tx.run(findTenant, { tenantId: ctx.tenantId }),
    rowsOf(ctx),
    Promise.all(STEPS.map(async (step) => [step.key, await step.evidence(ctx)] as const)),
  ]);
  return { tenant: tenant!, rows, evidence: new Map(found) };
}

async function rowsOf({ tx, tenantId }: Observing): Promise<Observation['rows']> {
  return new Map((await tx.run(findRows, { tenantId })).map((row) => [row.step_key, row]));
}

function isRemembered(observation: Observation): boolean {
  const { completed, regressed } = changesIn(STEPS, observation);
  return completed.length === 0 && regressed.length === 0;
}

function record({ tx, tenantId, now, environment, requestId }: Observing, observation: Observation): void {
  const { completed, regressed } = changesIn(STEPS, observation);
  const event = { occurredAt: now.toISOString(), environment, actor: ACTOR, outcome: 'success', requestId } as const;
  for (const step of completed) {
    void tx.run(complete, { tenantId, step, now });
    const evidence = observation.evidence.get(step) ?? [];
    appendAudit(tx, {
      ...event, action: 'onboarding.step_completed', resource: { type: 'onboarding_step', id: step },
      changes: [{ op: 'add', path: '/evidence', value: evidence.map(({ type, id }) => ({ type, id })) }],
    });
  }
  for (const step of regressed) {
    void tx.run(regress, { tenantId, step, now });
    appendAudit(tx, { ...event, action: 'onboarding.step_regressed', resource: { type: 'onboarding_step', id: step } });
  }
}
