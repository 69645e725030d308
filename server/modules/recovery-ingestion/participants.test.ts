/**
 * Tests which participants of the directory (institutions, by their ISPB) the ingestion polls for recoveries of funds,
 * and to which tenant the events of each belong. A wrong result gives one tenant the events of another. A participant
 * without a certificate of its own is followed through the one that includes it; one of an unknown tenant is left out.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { ConfiguredParticipants } from './participants.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('an indirect participant without a certificate is followed through the participant that includes it, and not polled itself', async () => {
  const [ours, theirs] = [await test.tenant(), await test.tenant()];
  const slug = (id: string) => `t-${id.slice(-12)}`;
  const identity = { certificate: '', key: '' };
  const live = {
    directory: {} as never,
    participants: [
      {
        ispb: '22222222',
        tenant: slug(theirs),
        includeIndirect: false,
        identity: null,
      },
      {
        ispb: '11111111',
        tenant: slug(ours),
        includeIndirect: true,
        identity,
      },
      {
        ispb: '33333333',
        tenant: 'nobody',
        includeIndirect: false,
        identity,
      },
    ],
  };
  const polled = await new ConfiguredParticipants(test.database, null, live).all();
  expect(polled.map(({ participant: { ispb, tenantId, members } }) => ({ ispb, tenantId, members }))).toEqual([
    {
      ispb: '11111111',
      tenantId: ours,
      members: new Map([
        ['22222222', theirs],
        ['11111111', ours],
      ]),
    },
  ]);
});
