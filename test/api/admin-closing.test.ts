/**
 * API tests of closing a tenant for good: it takes two administrators of the platform. A closing by one, or one that
 * can be undone, fails here.
 */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startAdminWorld } from './admin-world.ts';

const world = await shared(startAdminWorld());

const YEAR = 365.25 * 86_400_000;
const sql = (text: string, values: unknown[]) => world.service.database.sql(text, values);

describe('closing', () => {
  it('takes two administrators', async () => {
    const {
      wire: { id },
      owner,
    } = await world.liveTenant();
    const closing = await success(
      world.put(id, { status: 'closed', reasonCode: 'customer_request', note: 'By letter' }),
    );
    expect(closing.body).toMatchObject({
      status: 'active',
      statusReason: null,
      closure: {
        reasonCode: 'customer_request',
        note: 'By letter',
        requestedBy: { type: 'platform_user', display: 'Ana Souza' },
      },
    });
    expect(refused(await refusal(world.put(id, { status: 'closed' })))).toEqual([403, 'second_administrator_required']);
    expect((await world.service.api.GET('/v1/sandbox', { headers: owner })).response.status).toBe(200);
    const closed = await success(
      world.put(id, { status: 'closed', reasonCode: 'customer_request' }, await world.colleague()),
    );
    expect(closed.body).toMatchObject({ status: 'closed', closure: null, statusReason: { code: 'customer_request' } });
    expect(refused(await refusal(world.service.api.GET('/v1/sandbox', { headers: owner })))).toEqual([
      403,
      'tenant_suspended',
    ]);
    const events = ['tenant.created', 'tenant.closure_requested', 'tenant.status_changed'];
    expect(await world.events(id)).toEqual({ platform: events, own: events });
    const denied = await world.service.platform.audit();
    expect(denied.filter(({ reason }) => reason === 'second_administrator_required')).toHaveLength(1);
  });

  it('requested by two at once takes effect after both, in whichever order', async () => {
    const { id } = (await world.liveTenant()).wire;
    const answers = await Promise.all([
      success(world.put(id, { status: 'closed' })),
      success(world.put(id, { status: 'closed' }, await world.colleague())),
    ]);
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['active', 'closed']);
    expect((await success(world.get(id))).body).toMatchObject({ status: 'closed', closure: null });
  });

  it('is forgotten once anything else is decided', async () => {
    for (const [body, status] of [
      [{ status: 'suspended' }, 'suspended'],
      [{ status: 'active' }, 'active'],
    ] as const) {
      const { id } = (await world.liveTenant()).wire;
      await success(world.put(id, { status: 'closed' }));
      expect((await success(world.put(id, body, await world.colleague()))).body).toMatchObject({
        status,
        closure: null,
      });
      expect((await success(world.put(id, { status: 'closed' }, await world.colleague()))).body).toMatchObject({
        status,
        closure: { reasonCode: 'other' },
      });
    }
  });

  it('is final', async () => {
    const { id } = (await world.liveTenant()).wire;
    await success(world.put(id, { status: 'closed' }));
    await success(world.put(id, { status: 'closed' }, await world.colleague()));
    for (const status of ['active', 'suspended'] as const) {
      const answer = await refusal(world.put(id, { status }));
      expect(refused(answer)).toEqual([409, 'invalid_state_transition']);
      expect(answer.body).toMatchObject({ currentStatus: 'closed', allowedTransitions: [] });
    }
    await success(world.put(id, { status: 'closed' }));
  });

  it('is not the way from onboarding to production', async () => {
    const { wire } = await world.tenant();
    const answer = await refusal(world.put(wire.id, { status: 'active' }));
    expect(refused(answer)).toEqual([409, 'invalid_state_transition']);
    expect(answer.body).toMatchObject({ currentStatus: 'onboarding', allowedTransitions: ['suspended', 'closed'] });
  });

  it.each([
    ['a decision of five years ago on a customer', 'approved', 5, true],
    ['a decision of eleven years ago on a customer', 'approved', 11, false],
    ['a rejection of four years ago', 'rejected', 4, true],
    ['a rejection of six years ago', 'rejected', 6, false],
    ['an application that is being reviewed', 'in_review', 0, true],
    ['a draft', 'draft', 0, false],
  ])('depends on the retention of records: %s', async (_, status, yearsAgo, held) => {
    const tenant = await world.liveTenant();
    const { id } = tenant.wire;
    await newApplication(world.service, tenant);
    const at = new Date(Date.now() - yearsAgo * YEAR);
    const [submitted, decided] = [
      status === 'draft' ? null : at,
      ['approved', 'rejected'].includes(status) ? at : null,
    ];
    await sql('UPDATE application SET status = $2, submitted_at = $3, decided_at = $4 WHERE tenant_id = $1', [
      id,
      status,
      submitted,
      decided,
    ]);
    const answer = await outcome(world.put(id, { status: 'closed' }));
    expect(refused(answer)).toEqual(held ? [409, 'retention_hold'] : [200, undefined]);
  });

  const YEARS = { approved: 10, rejected: 5 };
  it.each([
    ['ten years, from the year after', 'approved', true],
    ['ten years, although it was the next year elsewhere', 'approved', false],
    ['five years, from the year after', 'rejected', true],
    ['five years, although it was the next year elsewhere', 'rejected', false],
  ] as const)('counts by the calendar of São Paulo: %s', async (_, status, held) => {
    const tenant = await world.liveTenant();
    const { id } = tenant.wire;
    await newApplication(world.service, tenant);
    const year = Number(
      new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'America/Sao_Paulo' }).format(new Date()),
    );
    await sql('UPDATE application SET status = $2, submitted_at = $3, decided_at = $3 WHERE tenant_id = $1', [
      id,
      status,
      `${year - YEARS[status]}${held ? '-01-02T12:00:00Z' : '-01-01T01:30:00Z'}`,
    ]);
    expect(refused(await outcome(world.put(id, { status: 'closed' })))).toEqual(
      held ? [409, 'retention_hold'] : [200, undefined],
    );
  });

  it('is not prevented by the sandbox', async () => {
    const tenant = await world.tenant();
    await newApplication(world.service, tenant);
    await sql(
      `UPDATE application SET status = 'approved', submitted_at = now(), decided_at = now() WHERE tenant_id = $1`,
      [tenant.wire.id],
    );
    expect((await success(world.put(tenant.wire.id, { status: 'closed' }))).body.closure).not.toBeNull();
  });
});
