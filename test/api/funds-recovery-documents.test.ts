/** Tests of what belongs to a recovery: its timeline, reports, refunds and tracking graph. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import { ISPB, takeInRecovery, type RecoveryOptions } from '../support/recoveries.ts';
import type { Answer, Credential, Tenant } from '../support/service.ts';
import { idsOf, useFeed, type List } from './funds-recovery-world.ts';

type Schemas = components['schemas'];

type Pages = {
  readonly items?: readonly { readonly id: string }[];
  readonly events?: readonly { readonly eventId: string }[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

/** Instant before every deadline of a recovery that is created with defaults. */
const soon = new Date('2026-11-04T00:00:00.000Z');

let tenant: Tenant;
let client: Credential;
const world = await useFeed();

beforeEach(async () => {
  tenant = await world.service.tenant();
  client = await tenant.client(['read']);
});

const takeIn = (options: RecoveryOptions = {}) => takeInRecovery(world.service.database.database, tenant.id, options);

const read = <T>(id: string, what: string): Promise<Answer<T>> =>
  world.service.request<T>('GET', `/api/v1/funds-recovery/${id}/${what}`, { as: client });

const timeline = async (id: string) => (await read<Schemas['FundsRecoveryTimeline']>(id, 'events')).body;

describe('the timeline of a recovery', () => {
  it('contains the events of the recovery as the feed delivers them, and no others', async () => {
    const [one, other] = [await takeIn({ status: 'ANALYSED', readAt: soon }), await takeIn()];
    const { body } = await world.page(client, { limit: 200 });
    for (const id of [one, other]) {
      expect(await timeline(id)).toEqual({
        events: body.events.filter(({ fundsRecoveryId }) => fundsRecoveryId === id),
        cursor: null,
        hasMore: false,
      });
    }
    expect((await timeline(one)).events.map(({ eventType }) => eventType.replace('FUNDS_RECOVERY_', ''))).toEqual([
      'CREATED',
      'TRACKED',
      'REPORT_OPENED',
      'REPORT_OPENED',
      'AWAITING_ANALYSIS',
      'REPORT_ACKNOWLEDGED',
      'COUNTERPARTY_ANALYSED',
      'REPORT_ACKNOWLEDGED',
      'COUNTERPARTY_ANALYSED',
      'ANALYSED',
    ]);
  });

  it('acknowledges nothing, page by page', async () => {
    const id = await takeIn();
    await read(id, `events?limit=3&cursor=${(await read<List>(id, 'events?limit=3')).body.cursor}`);
    const position = await success(
      world.service.api.GET('/api/v1/funds-recovery/events/position', { headers: client }),
    );
    expect(position.body).toMatchObject({ acknowledgedEventId: null, pendingCount: 16 });
  });

  it('rejects a cursor of the feed, and returns cursors that the feed rejects', async () => {
    const id = await takeIn();
    const [feed, own] = [await world.page(client, { limit: 1 }), await read<List>(id, 'events?limit=1')];
    expect((await read<{ code: string }>(id, `events?cursor=${feed.body.cursor}`)).body.code).toBe('invalid_cursor');
    expect((await world.refusal(client, { cursor: own.body.cursor ?? '' })).body.code).toBe('invalid_cursor');
  });

  it('ends a page at one mebibyte of payload', async () => {
    const id = await takeIn({ status: 'CREATED', createdAt: new Date() });
    const large = recoveryEvents(3).map((event) => ({
      ...event,
      fundsRecoveryId: id,
      rawPayload: { Text: 'x'.repeat(700_000) },
    }));
    await world.publish(large, 'live', tenant);
    const first = await read<List>(id, 'events');
    const rest = await read<List>(id, `events?cursor=${first.body.cursor}`);
    expect([first.body.hasMore, idsOf(first).length, rest.body.hasMore, idsOf(rest).length]).toEqual([
      true,
      2,
      true,
      1,
    ]);
  });

  it('shows what was erased as null', async () => {
    const id = await takeIn();
    await world.service.database.sql(
      'UPDATE fr_event SET raw_payload = NULL WHERE tenant_id = $1 AND funds_recovery_id = $2',
      [tenant.id, id],
    );
    expect((await timeline(id)).events.map(({ rawPayload }) => rawPayload)).toEqual(Array(16).fill(null));
  });
});

describe('the parts of a recovery', () => {
  it.each(['events', 'infraction-reports', 'refunds'])('is complete page by page: %s', async (what) => {
    const id = await takeIn();
    const idsIn = ({ items = [], events = [] }: Pages): string[] => [
      ...items.map(({ id: one }) => one),
      ...events.map(({ eventId }) => eventId),
    ];
    const all = idsIn((await read<Pages>(id, what)).body);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Answer<Pages> = await read<Pages>(id, `${what}?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsIn(body));
      cursor = body.cursor;
    }
    expect(all.length).toBeGreaterThan(1);
    expect(seen).toEqual(all);
  });

  it.each(['events', 'infraction-reports', 'refunds'])(
    'does not continue with the cursor of another recovery: %s',
    async (what) => {
      const [one, other] = [await takeIn(), await takeIn()];
      const { cursor } = (await read<Pages>(one, `${what}?limit=1`)).body;
      const answer = await read<{ code: string }>(other, `${what}?limit=1&cursor=${cursor}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'cursor_filter_mismatch']);
    },
  );

  it.each(['events', 'infraction-reports', 'refunds', 'tracking-graph'])(
    'is not found for an unknown recovery: %s',
    async (what) => {
      const answer = await read<{ code: string }>('5f0c6a1e-3c2b-4d1a-9e8f-7a6b5c4d3e2f', what);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    },
  );
});

describe('the tracking graph', () => {
  it('shows where the money went', async () => {
    const { status, body } = await read<Schemas['TrackingGraph']>(await takeIn(), 'tracking-graph');
    expect([status, body.createdAt, body.accounts]).toEqual([
      200,
      '2026-11-02T21:04:11.982Z',
      [
        {
          id: '1',
          participant: ISPB,
          openedAt: '2026-10-01T03:00:00.000Z',
          personId: '101',
          personType: 'NATURAL_PERSON',
          personFoundedAt: null,
        },
        {
          id: '2',
          participant: '90400888',
          openedAt: '2026-10-01T03:00:00.000Z',
          personId: '102',
          personType: 'LEGAL_PERSON',
          personFoundedAt: '2026-09-14T03:00:00.000Z',
        },
        {
          id: '3',
          participant: '90400888',
          openedAt: '2026-10-01T03:00:00.000Z',
          personId: '102',
          personType: 'LEGAL_PERSON',
          personFoundedAt: '2026-09-14T03:00:00.000Z',
        },
      ],
    ]);
    expect(body.transactions.map(({ id, ...rest }) => rest)).toEqual([
      {
        debtorAccountId: '1',
        creditorAccountId: '2',
        amount: { amount: 81_240, currency: 'BRL' },
        refundableAmount: { amount: 81_240, currency: 'BRL' },
        settledAt: '2026-11-02T20:04:11.482Z',
      },
      {
        debtorAccountId: '2',
        creditorAccountId: '3',
        amount: { amount: 50_005, currency: 'BRL' },
        refundableAmount: { amount: 50_005, currency: 'BRL' },
        settledAt: '2026-11-02T20:04:11.482Z',
      },
    ]);
  });

  it('is not found before the directory has traced anything', async () => {
    const answer = await read<{ code: string }>(await takeIn({ status: 'CREATED' }), 'tracking-graph');
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  it('leaves out what the directory does not say', async () => {
    const id = await takeIn();
    await world.service.database.sql(
      `UPDATE fr_record
        SET snapshot = jsonb_set(snapshot, '{TrackingGraph}',
        '{"Accounts": [{"Id": "a1"}, "odd"], "Transactions": [{"Id": "E1", "Amount": "much"}]}') WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await read(id, 'tracking-graph')).body).toEqual({
      createdAt: null,
      accounts: [
        {
          id: 'a1',
          participant: null,
          openedAt: null,
          personId: null,
          personType: null,
          personFoundedAt: null,
        },
      ],
      transactions: [
        {
          id: 'E1',
          debtorAccountId: '',
          creditorAccountId: '',
          amount: null,
          refundableAmount: null,
          settledAt: null,
        },
      ],
    });
  });
});
