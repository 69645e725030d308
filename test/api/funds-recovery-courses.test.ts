/** Tests that the API shows a simulated recovery whatever its outcome. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyObservations as takeInObservations } from '../../server/modules/recoveries/apply-observations.ts';
import { standardStageLimits } from '../../server/modules/recoveries/recovery.ts';
import { observe } from '../../server/modules/recovery-ingestion/observe.ts';
import { fold, sandboxIspb, scenarios } from '../../server/simulators/directory/index.ts';
import { success } from '../support/api.ts';
import { FoldedDirectory } from '../support/folded-directory.ts';
import { useService } from '../support/service.ts';

const service = await useService();

/** Plays a scenario to its end and takes the recovery into the sandbox of a tenant. */
async function played(tenantId: string, name: string, role: 'SENT' | 'RECEIVED'): Promise<string> {
  const scenario = scenarios.find((one) => one.name === name)!;
  const startedAt = Date.now() - 40 * 24 * 60 * 60_000;
  const command = scenario.open({
    runId: randomUUID(),
    role,
    amount: '812.40',
    pace: 'stepped',
    onTimeout: null,
    situation: 'SCAM',
  });
  const state = fold(tenantId, [{ seq: 1, at: new Date(startedAt).toISOString(), command }], Date.now());
  const ispb = sandboxIspb(tenantId);
  const directory = new FoldedDirectory(() => state);
  const participant = {
    environment: 'sandbox',
    ispb,
    tenantId,
    directory,
    source: 'DICT_SIMULATOR',
    members: new Map([[ispb, tenantId]]),
    includeIndirect: false,
  } as const;
  const id = state.runs[0]?.recovery?.id ?? '';
  const seen = await observe(participant, id, { ispb, at: new Date(), known: null });
  await service.database.database.transaction({ tenantId }, (tx) =>
    takeInObservations(tx, 'sandbox', [seen!], standardStageLimits),
  );
  return id;
}

describe('a recovery of the sandbox’s directory', () => {
  const cases = scenarios.flatMap(({ name, roles, expected }) =>
    roles.filter((role) => expected(role).length > 0).map((role) => ({ name, role })),
  );

  it.each(cases)('can be read whatever its outcome: $name as $role', async ({ name, role }) => {
    const tenant = await service.tenant();
    const as = await tenant.client(['read']);
    const id = await played(tenant.id, name, role);
    const params = { path: { fundsRecoveryId: id } };
    const [record, timeline, reports, refunds, graph] = await Promise.all([
      success(service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}', { params, headers: as })),
      success(service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/events', { params, headers: as })),
      success(service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/infraction-reports', { params, headers: as })),
      success(service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/refunds', { params, headers: as })),
      service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/tracking-graph', { params, headers: as }),
    ]);
    expect([record, timeline, reports, refunds].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(record.body).toMatchObject({
      id,
      environment: 'sandbox',
      role,
      revision: timeline.body.events.length,
      status: timeline.body.events.at(-1)?.status,
    });
    expect(graph.response.status).toBe(
      timeline.body.events.some(({ eventType }) => eventType === 'FUNDS_RECOVERY_TRACKED') ? 200 : 404,
    );
    const paid = refunds.body.items.reduce(
      (sum, { effectiveRefundedAmount }) => sum + (effectiveRefundedAmount?.amount ?? 0),
      0,
    );
    expect(record.body.money.refundedAmount).toBe(paid);
    expect(paid).toBeLessThanOrEqual(81_240);
    expect(record.body.money.rootAmount).toBe(graph.response.status === 200 ? 81_240 : null);
  });
});
