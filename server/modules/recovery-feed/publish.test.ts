/** Tests of the ids of published events. */
import { expect, it } from 'vitest';
import { eventId } from './publish.ts';

const tenant = '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602';

it('gives the same directory fact the same id, a version 5 UUID', () => {
  const id = eventId(tenant, 'live', 'fr:5f0c:CREATED');
  expect(id).toMatch(/^fre_[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(eventId(tenant, 'live', 'fr:5f0c:CREATED')).toBe(id);
});

it('gives facts of other tenants, environments and kinds different ids', () => {
  const ids = [
    eventId(tenant, 'live', 'fr:5f0c:CREATED'),
    eventId(tenant, 'sandbox', 'fr:5f0c:CREATED'),
    eventId(tenant, 'live', 'fr:5f0c:TRACKED'),
    eventId('0197f2c4-8a0f-7b1d-8c44-91d0e3f5b603', 'live', 'fr:5f0c:CREATED'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
