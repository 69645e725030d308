/** API tests of the end of approvals and of time limits, by the real clock and by that of the sandbox. */
import { beforeEach, describe, expect, it } from 'vitest';
import { applicationsDue } from '../../server/modules/applications/life/expire-applications.ts';
import { runDue } from '../../server/tasks/due.ts';
import { shared } from '../support/service.ts';
import { type Application, refusal } from './applications-world.ts';
import { startDecisionWorld } from './decisions-world.ts';

const DAY = 86_400;
const world = await shared(startDecisionWorld());
const admin = await world.acme.key(['admin']);

const endRelationship = (id: string) =>
  world.request<Application>('POST', `/v1/applications/${id}/end-relationship`, {
    as: world.key,
    body: { reasonCode: 'customer_request' },
  });
const expireAt = (instant: string, beforeSeconds = 0) =>
  runDue(
    world.database.database,
    applicationsDue,
    { id: world.acme.id, sandboxAheadMilliseconds: 0 },
    { now: new Date(Date.parse(instant) - beforeSeconds * 1000), signal: new AbortController().signal },
  );

async function approved(): Promise<Application> {
  const application = await world.inReview();
  await world.decide(application);
  return (await world.get(application.id)).body;
}

describe('an approval', () => {
  it('holds until its last moment, and has expired then, with an event in the timeline and in the log', async () => {
    const { id, validUntil, version } = await approved();
    await expireAt(validUntil!, 60);
    expect((await world.get(id)).body.status).toBe('approved');
    await expireAt(validUntil!, -60);
    const { body } = await world.get(id);
    expect(body).toMatchObject({
      status: 'expired',
      statusReason: 'validity_ended',
      validUntil,
      version: version + 1,
      decisions: [{ outcome: 'approve', status: 'effective' }],
    });
    const {
      body: { items },
    } = await world.request<{ items: { type: string; status: string; actor: object }[] }>(
      'GET',
      `/v1/applications/${id}/timeline`,
      { as: world.key },
    );
    expect(items[0]).toMatchObject({ type: 'application.expired', status: 'expired', actor: { type: 'system' } });
  });

  it('that has expired is not reopened, and its holder remains a customer until the relationship is ended', async () => {
    const { id, validUntil } = await approved();
    await expireAt(validUntil!, -60);
    expect((await world.reopen((await world.get(id)).body)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'expired',
    });
    const officer = await world.acme.user('compliance_officer', { secondFactor: true });
    const erase = () =>
      world.request('POST', `/v1/applications/${id}/erase`, { as: officer, body: { reason: 'data_subject_request' } });
    expect((await erase()).body).toMatchObject({ code: 'retention_hold', holdUntil: null });
    expect((await endRelationship(id)).body).toMatchObject({
      status: 'expired',
      relationshipEndedAt: expect.any(String),
    });
    expect((await erase()).body).toMatchObject({
      code: 'retention_hold',
      holdUntil: expect.stringMatching(/^20\d\d-12-31$/),
    });
  });

  it('does not exist if a draft has expired: nobody ceases to be a customer', async () => {
    const { id, expiresAt } = await world.complete();
    await expireAt(expiresAt!, -60);
    expect(refusal(await endRelationship(id))).toEqual([409, 'invalid_state_transition']);
  });
});

describe('the clock of the sandbox', () => {
  beforeEach(async () => {
    await world.request('DELETE', '/v1/sandbox/data', { as: admin });
    await world.request('POST', '/v1/sandbox/enable', { as: admin });
  });

  const advance = async (seconds: number) =>
    (
      await world.request<{ effects: { resource: object; change: string }[] }>('POST', '/v1/sandbox/simulations', {
        as: admin,
        body: { type: 'advance_clock', parameters: { seconds } },
      })
    ).body.effects;

  it('lets approvals expire, and records it', async () => {
    const { id, environment, validUntil } = await approved();
    expect(environment).toBe('sandbox');
    const seconds = Math.ceil((Date.parse(validUntil!) - Date.now()) / 1000) + DAY;
    expect(await advance(seconds)).toContainEqual({
      resource: { type: 'application', id },
      change: 'status approved to expired',
    });
    expect((await world.get(id)).body).toMatchObject({ status: 'expired', statusReason: 'validity_ended' });
  });

  it('lets the time for an answer of the applicant expire, a day after it was due', async () => {
    const application = await world.inReview();
    expect((await world.ask(application)).status).toBe(201);
    await advance(15 * DAY);
    expect((await world.get(application.id)).body.status).toBe('needs_information');
    expect(await advance(2 * DAY)).toContainEqual({
      resource: { type: 'application', id: application.id },
      change: 'status needs_information to expired',
    });
    expect((await world.get(application.id)).body).toMatchObject({
      statusReason: 'information_overdue',
      informationRequests: [{ status: 'overdue' }],
    });
  });
});
