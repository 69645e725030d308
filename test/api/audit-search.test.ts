/** API tests of searching the audit log: order, pages without gaps, filters. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../server/base/canonical-json.ts';
import { refusal, refused, success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { useService, type Answer } from '../support/service.ts';
import { auditor, createApplications, type AuditEvent, type AuditFilters, type EventList } from './audit-world.ts';

let log: ReturnType<typeof auditor>;
let applications: string[];
const service = await useService();
beforeAll(async () => {
  applications = await createApplications(service, service.acme, 6);
  await createApplications(service, service.other, 1);
  await success(
    service.api.POST('/v1/applications/{applicationId}/withdraw', {
      params: { path: { applicationId: applications[0]! } },
      headers: await service.acme.key(['read', 'write']),
      body: { reasonCode: 'applicant_request' },
    }),
  );
  // Creates a refusal.
  await refusal(
    service.api.POST('/v1/applications', {
      headers: await service.acme.key(['read']),
      body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
    }),
  );
  log = auditor(service, await service.acme.user('auditor'));
});

const actions = (items: readonly AuditEvent[]): string[] => items.map(({ action }) => action);
const viewed = async (): Promise<number> =>
  (await service.acme.audit()).filter(({ action }) => action === 'audit.viewed').length;

describe('the audit log', () => {
  it('shows events newest first, or in the order of their sequence', async () => {
    const newest = (await success(log.events({ limit: 3 }))).body.items.map(({ sequence }) => sequence);
    expect(newest).toEqual([newest[0], newest[0]! - 1, newest[0]! - 2]);
    const { body } = await success(log.events({ sort: 'sequence', limit: 3 }));
    expect(body.items.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(
      (await success(log.events({ sort: 'sequence', fromSequence: 4, limit: 2 }))).body.items.map(
        ({ sequence }) => sequence,
      ),
    ).toEqual([4, 5]);
  });

  it('shows of each event exactly what was hashed, and the hash', async () => {
    const {
      body: { items },
    } = await success(log.events({ sort: 'sequence', limit: 100 }));
    let previous = createHash('sha256').update(service.acme.id).digest('hex');
    for (const { hash, ...content } of each(items)) {
      expect(content.prevHash).toBe(previous);
      expect(
        createHash('sha256')
          .update('\0')
          .update(canonicalJson(content as unknown as Json))
          .digest('hex'),
      ).toBe(hash);
      previous = hash;
    }
  });

  it('pages through the log without a gap, while it grows', async () => {
    const seen: number[] = [];
    let cursor: string | null | undefined;
    let pages = 0;
    const before = await viewed();
    while (cursor !== null && pages < 4) {
      const { body }: Answer<EventList> = await success(
        log.events({ sort: 'sequence', limit: 2, ...(cursor !== undefined && { cursor }) }),
      );
      seen.push(...body.items.map(({ sequence }) => sequence));
      cursor = body.cursor;
      pages += 1;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await viewed(), 'a search is one event, however many pages').toBe(before + 1);
  });

  it.each([
    [{ action: ['application.withdrawn'] }, ['application.withdrawn']],
    [{ action: ['access.*'] }, ['access.denied']],
    [{ action: ['application.withdrawn', 'access.*'] }, ['access.denied', 'application.withdrawn']],
    [{ action: ['case.*'] }, []],
    [{ outcome: 'denied' }, ['access.denied']],
    [{ outcome: 'failed' }, []],
    [{ resourceType: 'operation' }, ['access.denied']],
    [{ actorType: 'platform_user' }, []],
    [{ environment: 'sandbox' }, []],
  ] satisfies [AuditFilters, string[]][])('filters by %j', async (query, expected) => {
    expect(actions((await success(log.events(query))).body.items)).toEqual(expected);
  });

  it('accepts a beginning of an action only if it ends at the end of a word', async () => {
    expect((await refusal(log.events({ action: ['application.with*'] }))).status).toBe(400);
  });

  it('finds everything about one resource, and everything that one actor did', async () => {
    const about = (await success(log.events({ resourceId: applications[0]!, sort: 'sequence' }))).body.items;
    expect(actions(about)).toEqual(['application.created', 'application.withdrawn', 'application.status_changed']);
    const [{ actor }] = about as [AuditEvent];
    const mine = (await success(log.events({ actorId: actor.id!, limit: 100 }))).body.items;
    expect(mine.length).toBeGreaterThanOrEqual(8);
    expect(new Set(mine.map((event) => event.actor.id))).toEqual(new Set([actor.id]));
    expect(
      (await success(log.events({ actorType: 'user', limit: 100 }))).body.items.every(
        (event) => event.actor.type === 'user',
      ),
    ).toBe(true);
    expect((await success(log.events({ actorId: 'somebody-else' }))).body.items).toEqual([]);
  });

  it('filters by time, and refuses a range that would be searched event by event', async () => {
    const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    expect(
      (await success(log.events({ from: at(-1), to: at(1), limit: 100 }))).body.items.length,
    ).toBeGreaterThanOrEqual(8);
    expect((await success(log.events({ from: at(-2), to: at(-1) }))).body.items).toEqual([]);
    for (const query of [{ from: at(-93) }, { from: at(-100), to: at(-1) }, { to: at(0) }]) {
      expect(refused(await refusal(log.events(query)))).toEqual([400, 'range_too_wide']);
    }
    for (const query of [
      { from: at(-93), resourceId: applications[1]! },
      { from: at(-93), fromSequence: 1 },
      { from: at(-91) },
    ])
      await success(log.events(query));
  });

  it('is itself audited: a search with its filters, and an event that was read', async () => {
    await success(log.events({ action: ['application.withdrawn'], outcome: 'success' }));
    const {
      body: {
        items: [search],
      },
    } = await success(log.events({ action: ['audit.viewed'], limit: 1 }));
    expect(search).toMatchObject({
      action: 'audit.viewed',
      actor: { type: 'user' },
      resource: { type: 'audit_log', id: service.acme.id },
      changes: [{ op: 'add', path: '/filters', value: { action: ['application.withdrawn'], outcome: 'success' } }],
    });
    const { body: event } = await success(log.event(search!.id));
    expect(event).toEqual(search);
    const {
      body: { items },
    } = await success(log.events({ resourceId: search!.id }));
    expect(items).toMatchObject([{ action: 'audit.viewed', resource: { type: 'audit_event', id: search!.id } }]);
  });

  it('shows only events of the sandbox to a key of the sandbox', async () => {
    await success(service.api.POST('/v1/sandbox/enable', { headers: await service.acme.user('owner') }));
    const [application] = await createApplications(service, service.acme, 1);
    const test = auditor(service, await service.acme.key(['read'], { environment: 'test' }));
    const {
      body: { items },
    } = await success(test.events({ limit: 100 }));
    expect(items.map(({ resource }) => resource.id)).toContain(application);
    expect(new Set(items.map(({ environment }) => environment))).toEqual(new Set(['sandbox']));
    expect((await success(test.events({ environment: 'live' }))).body.items).toEqual([]);
    const {
      body: {
        items: [live],
      },
    } = await success(log.events({ sort: 'sequence', limit: 1 }));
    expect((await refusal(test.event(live!.id))).status).toBe(404);
    expect((await refusal(test.proof(live!.id))).status).toBe(404);
    expect(
      (await success(log.events({ environment: 'sandbox', limit: 100 }))).body.items.map(({ resource }) => resource.id),
    ).toContain(application);
  });

  it('is visible in its tenant only: another one sees neither its events nor its cursors', async () => {
    const stranger = auditor(service, await service.other.user('owner'));
    const {
      body: {
        items: [event],
        cursor,
      },
    } = await success(log.events({ limit: 1 }));
    expect((await refusal(stranger.event(event!.id))).status).toBe(404);
    expect((await refusal(stranger.proof(event!.id))).status).toBe(404);
    expect(refused(await refusal(stranger.events({ limit: 1, cursor: cursor! })))).toEqual([400, 'invalid_cursor']);
    expect(
      (await success(stranger.events({ limit: 100 }))).body.items.map(({ resource }) => resource.id),
    ).not.toContain(applications[0]);
  });

  it('contains no personal data of applicants, whatever was sent, changed or refused', async () => {
    const as = await service.acme.key(['read', 'write']);
    const applicant = {
      fullName: 'Zuleide Xavantina',
      email: 'zuleide@xavantina.example',
      taxId: { type: 'cpf', value: '52998224725' },
    } as const;
    const { body } = await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant, metadata: { note: 'Zuleide' } },
      }),
    );
    const params = { path: { applicationId: body.id } };
    await success(
      service.api.PATCH('/v1/applications/{applicationId}', {
        params,
        headers: as,
        body: { applicant: { fullName: 'Zuleide Outra', dateOfBirth: '1984-07-13' }, metadata: { note: 'Zuleide' } },
      }),
    );
    await success(
      service.api.POST('/v1/applications/{applicationId}/withdraw', {
        params,
        headers: as,
        body: { reasonCode: 'applicant_request', note: 'Zuleide asked' },
      }),
    );
    const rows = await service.database.sql<{ row: string }>(
      'SELECT to_jsonb(e)::text AS row FROM audit_event e WHERE resource_id = $1',
      [body.id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { row } of rows)
      for (const value of ['Zuleide', 'xavantina', '52998224725', '1984-07-13']) expect(row).not.toContain(value);
  });
});
