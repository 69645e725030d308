/**
 * Tests of everything that falls due by time: each due must move or end when it is run, or its job would never finish.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dues } from '../../server/modules.ts';
import { MOST_PARTS, runDue } from '../../server/tasks/due.ts';
import { newDecidedApplication } from '../operations/application-records.ts';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';
import { businessTimeAt } from '../support/business-time.ts';

const world = await shared(startMonitoringWorld());
const PEOPLE = 6;
const ids: string[] = [];
for (let count = 0; count < PEOPLE; count++) ids.push(await newDecidedApplication(world, world.sandboxed, CLEAN));
await world.settle();
await allowSomebody();
const sql = world.database.sql.bind(world.database);

/** Creates an entry of the allow-list through the API, as people do. */
async function allowSomebody(): Promise<void> {
  await world.publish('ofac-sdn', ['1,person,Belisario Cunhambebe Rondon,,,,,watchlist,']);
  const {
    body: {
      id,
      hits: [hit],
    },
  } = await world.screen(
    { subject: { type: 'person', names: ['Belisario Cunhambebe Rondon'] }, lists: ['un-csnu', 'ofac-sdn'] },
    world.test,
  );
  const expiresAt = new Date(world.running.services.clock().getTime() + 300 * 86_400_000).toISOString();
  const { status, text } = await world.request('POST', `/v1/screenings/${id}/hits/${hit!.id}/adjudicate`, {
    as: world.officer,
    body: {
      status: 'false_positive',
      reasonCode: 'other',
      note: 'We know both of them: they live in different towns, and one is twenty years older.',
      allowlist: { expiresAt },
    },
  });
  expect(status, text).toBe(200);
}

const days = fc.integer({ min: -90, max: 90 });
const checks = fc.subarray(['sanctions', 'pep', 'document_expiry', 'risk_review'], { minLength: 1 });
/** A person with all properties that time concerns. A property without a day is not due. */
const person = fc.record({
  status: fc.constantFrom('draft', 'needs_information', 'approved', 'in_review'),
  deadline: fc.option(days),
  reviewDue: fc.option(days),
  document: fc.option(days),
  subscription: fc.option(
    fc.record({
      checks,
      status: fc.constantFrom('active', 'active', 'paused'),
      interval: fc.option(fc.integer({ min: 1, max: 365 })),
      nextRun: fc.option(days),
      pauseUntil: days,
      waiting: fc.boolean(),
      lastResult: fc.constantFrom(null, 'clear', 'failed'),
      isCompared: fc.boolean(),
    }),
  ),
  allowed: fc.option(days),
});
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

/** Writes the person to the database, even in states that the service would not produce. */
async function arrange(
  id: string,
  { status, deadline, reviewDue, document, subscription, allowed }: Person,
): Promise<void> {
  for (const table of ['document', 'monitoring_subscription'])
    await sql(`DELETE FROM ${table} WHERE application_id = $1`, [id]);
  const at = `now() + make_interval(days => $2::integer)`;
  await sql(
    `UPDATE application
      SET status = $3, status_reason = NULL, decided_at = now() - interval '99 days', expires_at = CASE
      WHEN $3 IN ('draft', 'needs_information') THEN ${at} END,
    valid_until = CASE WHEN $3 = 'approved' THEN ${at} END, review_due_at = now() + make_interval(days => $4::integer)
      WHERE id = $1`,
    [id, deadline, status, reviewDue],
  );
  if (document !== null) {
    await sql(
      `INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by, status, expires_on)
      VALUES ($3, gen_random_uuid(), $1, 'sandbox', 'passport', 'single', 'a.pdf', 'application/pdf', 1,
        repeat('0', 64), gen_random_uuid()::text, '{}', 'uploaded', (${at})::date)`,
      [id, document, world.sandboxed.id],
    );
  }
  if (subscription !== null) {
    const {
      checks: wanted,
      status: state,
      interval,
      nextRun,
      pauseUntil,
      waiting,
      lastResult,
      isCompared,
    } = subscription;
    await sql(
      `INSERT INTO monitoring_subscription (tenant_id, id, environment, application_id, checks, interval_days, status,
        pause_until, waiting_for, next_run_at, last_result, compared, created_at, updated_at, created_by)
      VALUES ($1, gen_random_uuid(), 'sandbox', $2, $3, $4, $5, CASE WHEN $5 = 'paused'
        THEN now() + make_interval(days => $6::integer) END, $7, now() + make_interval(days => $8::integer), $9, $10,
        now(), now(), '{}')`,
      [
        world.sandboxed.id,
        id,
        wanted,
        interval,
        state,
        pauseUntil,
        waiting && state === 'active' ? 'requested' : null,
        nextRun,
        lastResult,
        isCompared ? '{"checks": [], "lists": [], "algorithm": "m0", "lines": {}, "ownList": null}' : null,
      ],
    );
  }
  // There is only one entry, which belongs to no particular person.
  if (id === ids[0])
    await sql(`UPDATE allowlist_entry SET status = $1, expires_at = now() + make_interval(days => $2::integer)`, [
      allowed === null ? 'revoked' : 'active',
      allowed ?? 0,
    ]);
}

const now = (): Date => world.running.services.clock();
/** Runs one part of a due and returns the changes, without the ids. */
const part = async (due: (typeof dues)[number]): Promise<string[]> => {
  const effects = await world.database.database.transaction({ tenantId: world.sandboxed.id }, (tx) =>
    due.run(tx, { environment: 'sandbox', businessTime: businessTimeAt(now()), now: now() }),
  );
  return effects.map(({ resource, change }) => `${resource.type}: ${change.replace(/ on \d{4}-\d\d-\d\d$/, '')}`);
};

it('every due moves or ends when it is run: whatever the records are, a second run at the same time finds nothing', async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: PEOPLE, maxLength: PEOPLE }), async (people) => {
      for (const [index, one] of people.entries()) await arrange(ids[index]!, one);
      for (const due of dues) for (const kind of await part(due)) kinds.add(kind);
      // The dues that come earlier in the list run once more, because later ones may have ended
      // something that they look at.
      for (const due of dues) for (const kind of await part(due)) kinds.add(kind);
      for (const due of dues) expect(await part(due), due.name).toEqual([]);
    }),
    { numRuns: 25, seed: 27 },
  );
  expect([...kinds].sort()).toEqual([
    'allowlist_entry: status active to expired',
    'application: status approved to expired',
    'application: status draft to expired',
    'application: status needs_information to expired',
    'monitoring_alert: raised: document_expiry',
    'monitoring_alert: raised: risk_review',
    'monitoring_subscription: a run is due',
    'monitoring_subscription: status paused to active',
    'monitoring_subscription: subscribed',
  ]);
}, 120_000);

it('a round runs a bounded part of what is due of one tenant, even of a due that never ends', async () => {
  let parts = 0;
  const endless = {
    name: 'endless',
    everySeconds: 1,
    atOnce: 1,
    run: async () => [{ resource: { type: 'x', id: world.sandboxed.id }, change: `${parts++}` }],
  };
  expect(
    await runDue(
      world.database.database,
      endless,
      { id: world.sandboxed.id, sandboxAheadMilliseconds: 0 },
      { now: now(), signal: new AbortController().signal },
    ),
  ).toBe(2 * MOST_PARTS);
});
