/** API test of the recoveries that the demo tenant finds in its sandbox. */
import { expect, it } from 'vitest';
import { seedDemo } from '../../server/demo/seed.ts';
import { success } from '../support/api.ts';
import { startTestService } from '../support/service.ts';

it('the demo tenant finds recoveries in its sandbox, one refunded and one under way, and can start another', async () => {
  const service = await startTestService({ directory: true });
  const { services } = service.running;
  const { apiKey, tenant } = await seedDemo(services, service.url, services.clock());
  await services.ingestion.pollAll();
  const as = { 'X-API-Key': apiKey };
  const rows = () =>
    service.database.sql<{ status: string }>(
      `SELECT status FROM fr_record WHERE tenant_id = $1 AND env = 'sandbox' ORDER BY created_at`,
      [tenant.id],
    );
  expect((await rows()).map(({ status }) => status)).toEqual(
    expect.arrayContaining(['COMPLETED', 'AWAITING_ANALYSIS']),
  );
  const before = (await rows()).length;
  await success(service.api.POST('/v1/sandbox/enable', { headers: as }));
  const answer = await service.api.POST('/v1/sandbox/funds-recovery/scenarios', {
    headers: as,
    body: { scenario: 'partial-refund' },
  });
  expect(answer.response.status).toBe(202);
  await services.ingestion.settled(tenant.id);
  expect((await rows()).length).toBe(before + 1);
  await service.stop();
});
