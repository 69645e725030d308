/** Tests of versioned rule documents: drafts, and their activation by two people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { randomOf } from '../../../test/support/random.ts';
import type { UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import '../../modules.ts';
import { activationDigest, requestActivation, reviewActivation } from './activation.ts';
import { checksumOf, createActive, createDraft, retire, reviseDraft } from './definitions.ts';
import { activeDefinition, type Definition, type DefinitionName, definitionsOf, findDefinition } from './store.ts';

const SEED = 20261126;
const NAME: DefinitionName = { environment: 'live', kind: 'risk_model', key: 'application' };
const EVIDENCE = { movers: 3 };
const now = new Date('2026-11-26T12:00:00Z');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const person = (userId: string): UserPrincipal =>
  ({ kind: 'user', userId, actor: { type: 'user', id: userId, display: userId } }) as unknown as UserPrincipal;
const SYSTEM = { type: 'system', id: randomUUID(), display: 'the service' } as const;

/** A tenant with two people, and what they do with definitions. */
async function site() {
  const tenantId = await test.tenant();
  const [maker, checker] = [person(randomUUID()), person(randomUUID())];
  const within = <T>(run: (tx: Transaction) => Promise<T>): Promise<T> => test.database.transaction({ tenantId }, run);
  return {
    maker,
    checker,
    within,
    draft: (document: object = { weight: 1 }, name = NAME) =>
      within((tx) =>
        createDraft(tx, {
          ...name,
          document: document as never,
          createdBy: SYSTEM,
          now,
        }),
      ),
    request: ({ id, checksum }: Pick<Definition, 'id' | 'checksum'>, by = maker) =>
      within((tx) =>
        requestActivation(tx, id, {
          checksum,
          evidence: EVIDENCE,
          maker: by,
          now,
        }),
      ),
    review: (
      activation: { readonly id: string; readonly checksum: string },
      { by = checker, verdict = 'confirm' as 'confirm' | 'return', evidence = EVIDENCE, read = EVIDENCE } = {},
    ) =>
      within((tx) =>
        reviewActivation(tx, activation.id, {
          verdict,
          digest: activationDigest(activation.checksum, read),
          note: null,
          evidence,
          checker: by,
          now,
        }),
      ),
    versions: () => within((tx) => definitionsOf(tx, NAME)),
    active: () => within((tx) => activeDefinition(tx, NAME)),
    find: (id: string) => within((tx) => findDefinition(tx, id)),
  };
}

const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return error.code;
    },
  );

describe('a definition', () => {
  it('has a number, a checksum of the canonical form of its document, and changes only as a draft', async () => {
    const { draft, within, request, versions } = await site();
    const [one, two] = [await draft({ b: 1, a: 2 }), await draft({ weight: 2 })];
    expect([one.number, two.number, one.checksum]).toEqual([1, 2, checksumOf({ a: 2, b: 1 })]);
    const revised = await within((tx) => reviseDraft(tx, one.id, { document: { a: 3 }, ifMatch: '"1"', now }));
    expect([revised.version, revised.checksum]).toEqual([2, checksumOf({ a: 3 })]);
    const again = (ifMatch: string) =>
      codeOf(within((tx) => reviseDraft(tx, one.id, { document: { a: 4 }, ifMatch, now })));
    expect(await again('"1"')).toBe('version_conflict');
    await request(revised);
    expect(await again('*')).toBe('invalid_state_transition');
    expect((await versions()).map(({ number, status }) => [number, status])).toEqual([
      [2, 'draft'],
      [1, 'pending_activation'],
    ]);
  });

  it('takes effect when another person confirms it, and retires the version before', async () => {
    const { draft, request, review, within, active, find } = await site();
    const shipped = await within((tx) =>
      createActive(tx, {
        ...NAME,
        document: {},
        createdBy: SYSTEM,
        now,
      }),
    );
    const second = await draft();
    const { outcome, definition } = await review(await request(second));
    expect([outcome, definition.status, (await active())?.id]).toEqual(['confirmed', 'active', second.id]);
    expect(await find(shipped.id)).toMatchObject({ status: 'retired', retiredAt: now.toISOString() });
  });

  it('becomes a draft again if another person returns it, and can be requested again', async () => {
    const { draft, request, review, active } = await site();
    const proposed = await draft();
    const returned = await review(await request(proposed), { verdict: 'return' });
    expect([returned.outcome, returned.definition.status, await active()]).toEqual(['returned', 'draft', null]);
    expect((await review(await request(proposed))).outcome).toBe('confirmed');
  });

  it('becomes a draft again if its test results have changed since the request', async () => {
    const { draft, request, review, active } = await site();
    const stale = await review(await request(await draft()), { evidence: { movers: 4 } });
    expect([stale.outcome, stale.definition.status, await active()]).toEqual(['stale', 'draft', null]);
  });

  it('takes effect in its own environment alone', async () => {
    const { draft, request, review, within, active } = await site();
    const live = await draft();
    await review(await request(live));
    const sandbox: DefinitionName = { ...NAME, environment: 'sandbox' };
    const tried = await draft({ weight: 2 }, sandbox);
    await review(await request(tried));
    expect([(await active())?.id, (await within((tx) => activeDefinition(tx, sandbox)))?.id]).toEqual([
      live.id,
      tried.id,
    ]);
  });

  it('is not seen from another tenant', async () => {
    const [own, other] = [await site(), await site()];
    const { id } = await own.draft();
    expect(await other.find(id)).toBeNull();
    expect(await codeOf(other.within((tx) => retire(tx, id, now)))).toBe('not_found');
  });
});

describe('a request for activation or its review is refused', () => {
  it('if the person who requested the activation reviews it', async () => {
    const { draft, request, review, maker } = await site();
    expect(await codeOf(review(await request(await draft()), { by: maker }))).toBe('self_approval_forbidden');
  });

  it('if the reviewer has read other test results', async () => {
    const { draft, request, review, find } = await site();
    const proposed = await draft();
    expect(await codeOf(review(await request(proposed), { read: { movers: 9 } }))).toBe('evidence_changed');
    expect((await find(proposed.id))?.status).toBe('pending_activation');
  });

  it('if it names the checksum of an earlier document', async () => {
    const { draft, request, within } = await site();
    const before = await draft();
    await within((tx) => reviseDraft(tx, before.id, { document: { weight: 5 }, ifMatch: undefined, now }));
    expect(await codeOf(request(before))).toBe('evidence_changed');
  });

  it.each(['active', 'retired', 'pending'] as const)('if the version is %s', async (status) => {
    const { draft, request, review, within } = await site();
    const version = await draft();
    const activation = await request(version);
    if (status !== 'pending') await review(activation);
    if (status === 'retired') await within((tx) => retire(tx, version.id, now));
    expect(await codeOf(request(version))).toBe('invalid_state_transition');
  });

  it('if the request was already reviewed', async () => {
    const { draft, request, review } = await site();
    const activation = await request(await draft());
    await review(activation);
    expect(await codeOf(review(activation))).toBe('invalid_state_transition');
  });
});

it('never activates two versions of a series, nor lets the maker review, in 200 random interleavings', async () => {
  const random = randomOf(SEED);
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const { within, draft, request, review, versions, maker, checker } = await site();
  const people = [maker, checker, person(randomUUID())];
  const activations: { id: string; checksum: string }[] = [];
  const step = async (): Promise<string> => {
    const version = pick(await versions());
    const activation = pick(activations);
    const by = pick(people)!;
    switch (Math.floor(random() * 6)) {
      case 0:
        await draft({ weight: Math.floor(random() * 100) });
        return 'accepted';
      case 1:
        if (version === undefined) return 'nothing';
        return codeOf(request(version, by).then((made) => activations.push(made)));
      case 2:
        return version === undefined ? 'nothing' : codeOf(within((tx) => retire(tx, version.id, now)));
      case 3:
        if (version === undefined) return 'nothing';
        return codeOf(
          within((tx) => reviseDraft(tx, version.id, { document: { weight: -1 }, ifMatch: undefined, now })),
        );
      default:
        if (activation === undefined) return 'nothing';
        return codeOf(review(activation, { by, verdict: pick(['confirm', 'confirm', 'return'] as const)! }));
    }
  };
  const results: string[] = [];
  for (let round = 0; round < 50; round++) {
    results.push(...(await Promise.all([step(), step(), step(), step()])));
    expect((await versions()).filter(({ status }) => status === 'active').length).toBeLessThanOrEqual(1);
  }
  expect(results.filter((one) => one === 'accepted').length).toBeGreaterThan(40);
  expect(results).toContain('self_approval_forbidden');
  const reviews = await test.sql<{ own: boolean }>(
    `SELECT checker ->> 'id' = ANY (maker_persons) AS own FROM second_review WHERE subject_type = 'activation'
      AND checker IS NOT NULL`,
  );
  expect(reviews.length).toBeGreaterThan(10);
  expect(reviews.filter(({ own }) => own)).toEqual([]);
});
