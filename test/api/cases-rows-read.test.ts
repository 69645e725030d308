/** Tests of how many rows the summary of cases and the work view read. */
import { expect, it } from 'vitest';
import { insertCases, readingsOf } from '../support/crowd-of-cases.ts';
import { useService } from '../support/service.ts';

const service = await useService();

it('the summary and the work view read open cases and 30 days of resolved ones, however many there are', async () => {
  const tenant = await service.tenant();
  const { id: userId } = await tenant.person('analyst');
  const of = { tenantId: tenant.id, userId };
  const [open, recent] = [200, 300];
  await insertCases(service.database, of, { open, recent, old: 8000 });
  const { open: unresolved, resolved, own, toReview } = await readingsOf(service.database, of);
  expect(unresolved.rows).toBe(open);
  expect(resolved.rows).toBe(recent);
  expect(own.rows).toBeLessThanOrEqual(open / 2);
  expect(toReview.rows).toBe(0);
});
