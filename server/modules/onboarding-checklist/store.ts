/**
 * Table `onboarding_step` and the statements of the checklist. Used by the rules and handlers of this module. `goLive`
 * changes the tenant's own status, which a trigger of the database allows only in this direction.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import {
  actor,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';

type Actor = components['schemas']['Actor'];
type Tenant = { tenantId: string };
type Key = Tenant & { step: string };

const onboardingStep = table(
  'onboarding_step',
  {
    tenantId: uuid(),
    stepKey: text(),
    completedAt: timestamp()
      .nullable()
      .defaulted('unless an insert sets the value')
      .changes('a step is completed, regresses, is dismissed or is restored'),
    regressedAt: timestamp()
      .nullable()
      .defaulted()
      .changes('a step is completed, regresses, is dismissed or is restored'),
    dismissedAt: timestamp()
      .nullable()
      .defaulted('unless an insert sets the value')
      .changes('a step is completed, regresses, is dismissed or is restored'),
    dismissedBy: actor()
      .nullable()
      .defaulted('unless an insert sets the value')
      .changes('a step is completed, regresses, is dismissed or is restored'),
    dismissedReason: text()
      .nullable()
      .defaulted('unless an insert sets the value')
      .changes('a step is completed, regresses, is dismissed or is restored'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'steps that the tenant completed stay completed' },
    insertedBy: 'app',
    example: { stepKey: 's' },
  },
);

const remembered = onboardingStep.except('tenantId');
export type StepRow = RowOf<typeof remembered>;

const shownTenant = tenant.select('id', 'slug', 'name', 'status', 'goLiveAt');
export type TenantRow = RowOf<typeof shownTenant>;

export const findRows = statement<Tenant, StepRow>(
  'onboarding.rows',
  (p) => sql`
  SELECT ${remembered} FROM onboarding_step WHERE ${onboardingStep.equal({ tenantId: p.tenantId })}`,
);

export const findTenant = statement<Tenant, TenantRow>(
  'onboarding.tenant',
  (p) => sql`SELECT ${shownTenant} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`,
);

export const lockTenant = statement<Tenant, TenantRow>(
  'onboarding.lockTenant',
  (p) => sql`
  SELECT ${shownTenant} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })} FOR UPDATE`,
);

/** Makes requests that see a change wait for one another, so that each change is recorded once. */
export const lockSteps = (tx: Transaction, tenantId: string): Promise<unknown> =>
  lockUntilCommit(tx, 'onboarding', tenantId);

/** `completed_at` is the time of the first completion. */
export const complete = statement<Key & { now: RealTime }>(
  'onboarding.complete',
  (p) => sql`
  ${onboardingStep.insert({ tenantId: p.tenantId, stepKey: p.step }, { completedAt: p.now })}
  ON CONFLICT (tenant_id, step_key) DO UPDATE
    SET completed_at = coalesce(onboarding_step.completed_at, excluded.completed_at), regressed_at = NULL`,
  { expectRows: 1 },
);

export const regress = statement<Key & { now: RealTime }>(
  'onboarding.regress',
  (p) => sql`
  UPDATE onboarding_step SET ${onboardingStep.assign({ regressedAt: p.now })}
  WHERE ${onboardingStep.equal({ tenantId: p.tenantId, stepKey: p.step })}`,
  { expectRows: 1 },
);

export const dismiss = statement<Key & { now: RealTime; by: Actor; reason: string }>(
  'onboarding.dismiss',
  (p) => sql`
  ${onboardingStep.insert(
    { tenantId: p.tenantId, stepKey: p.step },
    { dismissedAt: p.now, dismissedBy: p.by, dismissedReason: p.reason },
  )}
  ON CONFLICT (tenant_id, step_key) DO UPDATE
    SET ${onboardingStep.assignExcluded('dismissedAt', 'dismissedBy', 'dismissedReason')}
  WHERE onboarding_step.dismissed_at IS NULL`,
);

export const restore = statement<Key>(
  'onboarding.restore',
  (p) => sql`
  UPDATE onboarding_step SET ${onboardingStep.assign({ dismissedAt: null, dismissedBy: null, dismissedReason: null })}
  WHERE ${onboardingStep.equal({ tenantId: p.tenantId, stepKey: p.step })} AND dismissed_at IS NOT NULL`,
);

/** Makes the tenant active. The trigger on the table allows a tenant no other change of its own status. */
export const goLive = statement<Tenant & { now: RealTime }>(
  'onboarding.goLive',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({
    status: 'active',
    statusChangedAt: p.now,
    goLiveAt: p.now,
    updatedAt: p.now,
    sandboxEnabled: false,
    sandboxEnabledAt: null,
    sandboxEnabledBy: null,
    sandboxChangedAt: p.now,
  })} WHERE ${tenant.equal({ id: p.tenantId, status: 'onboarding' })}`,
  { expectRows: 1 },
);
