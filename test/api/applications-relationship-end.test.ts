/** API tests of recording that a customer is no longer one. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { refusal } from './applications-world.ts';
import { startErasureWorld } from './applications-erasure-world.ts';
import { exposed } from './decisions-world.ts';

const world = await shared(startErasureWorld());

describe('the end of a relationship', () => {
  it('is recorded once, with its time, and changes nothing of the approval', async () => {
    const { id } = await world.approved();
    const { body: before } = await world.get(id);
    const { status, body } = await world.endRelationship(id, {
      reasonCode: 'customer_request',
      note: 'The account was closed.',
      endedAt: before.decidedAt,
    });
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        relationshipEndedAt: before.decidedAt,
        statusNote: 'The account was closed.',
        version: before.version + 1,
        updatedAt: body.updatedAt,
      },
    ]);
    expect(refusal(await world.endRelationship(id))).toEqual([409, 'relationship_ended']);
    expect(
      (await world.acme.audit()).filter(({ resource_id }) => resource_id === id).map(({ action }) => action),
    ).toContain('application.relationship_ended');
  });

  it('cannot lie before the approval or in the future', async () => {
    const { id } = await world.approved();
    for (const endedAt of ['2020-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()]) {
      expect(refusal(await world.endRelationship(id, { reasonCode: 'other', endedAt }))).toEqual([
        422,
        'validation_failed',
        '/endedAt range',
      ]);
    }
    expect((await world.get(id)).body.relationshipEndedAt).toBeNull();
  });

  it('requires a customer: nobody else has a relationship', async () => {
    const { id } = await world.inReview(exposed);
    expect((await world.endRelationship(id)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'in_review',
    });
  });

  it('is undone when the application is reopened', async () => {
    const { id } = await world.approved();
    await world.endRelationship(id);
    expect((await world.reopen((await world.get(id)).body)).body).toMatchObject({
      status: 'in_review',
      relationshipEndedAt: null,
    });
  });
});
