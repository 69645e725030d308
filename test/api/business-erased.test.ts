/** Test of every operation about one business: once the business is erased, it answers so and does nothing. */
import { expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { arrange } from '../operations.ts';
import { expectDocumented, readyCall, send } from '../support/calls.ts';
import { allOperations, everyOperation } from '../support/contract.ts';
import { type Problem, type Tenant, useService } from '../support/service.ts';

const service = await useService();
const { acme } = service;

const isAboutOne = ({ path }: Operation): boolean => path.startsWith('/v1/businesses/{businessId}');

/** Erases a business in any state: it is withdrawn if that is possible, and what the law keeps ended long ago. */
async function erase(tenant: Tenant, id: string): Promise<void> {
  const as = await tenant.user('compliance_officer', { secondFactor: true });
  const post = (name: string, body: object) => service.request('POST', `/v1/businesses/${id}/${name}`, { as, body });
  await post('withdraw', { reasonCode: 'duplicate' });
  await service.database.sql(
    `UPDATE business SET submitted_at = CASE WHEN submitted_at IS NOT NULL THEN '2015-01-01'::timestamptz END,
        decided_at = CASE WHEN decided_at IS NOT NULL THEN '2015-01-01'::timestamptz END,
        relationship_ended_at = CASE WHEN status = 'approved' THEN '2015-01-01'::timestamptz END,
        updated_at = '2015-01-01'
      WHERE id = $1`,
    [id],
  );
  const { status, text } = await post('erase', { reason: 'retention_expired' });
  expect(status, text).toBe(202);
}

it('Every operation about one business documents that the business may be erased', () => {
  const operations = allOperations.filter(isAboutOne);
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter(({ responses }) => responses['410'] === undefined)).toEqual([]);
});

it.each(everyOperation.filter(isAboutOne))(
  'The operation $operationId answers that the business is erased, and records nothing',
  async (operation) => {
    const ready = await arrange(service, acme, operation);
    await erase(ready.tenant, ready.params['businessId']!);
    const events = (await ready.tenant.audit()).length;
    const answer = await send<Problem>(service, readyCall(operation, ready, ready.body));
    expect([answer.status, answer.body.code], answer.text).toEqual([410, 'erased']);
    expectDocumented(operation, answer);
    expect((await ready.tenant.audit()).slice(events).filter(({ outcome }) => outcome === 'success')).toEqual([]);
  },
);
