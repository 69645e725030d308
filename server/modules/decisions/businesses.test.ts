/** Tests of the ledger of decisions with businesses, without the module of businesses. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import type { UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import '../../modules.ts';
import { evidenceDigest, evidenceItem, evidenceManifest } from '../../rules/evidence.ts';
import type { Subject } from '../../rules/subject.ts';
import { openingKey } from '../subject-keys/index.ts';
import { readDecisionPolicy } from '../tenant-settings/index.ts';
import { eraseNotesOfReviews } from './decide.ts';
import {
  assertNoneOpen,
  type DecisionCase,
  endInformationRequest,
  findOpenRequest,
  invalidateProposal,
  listAttestations,
  listDecidedManifests,
  listDecisions,
  listInformationRequests,
  listWaivers,
  makeDecision,
  openedDecision,
  recordAttestation,
  recordedItems,
  recordWaiver,
  requestInformation,
  reviewDecision,
} from './index.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

const now = businessTimeAt('2026-11-26T12:00:00Z');
const environment = 'live';
const REJECTION = {
  outcome: 'reject',
  rejectType: 'final',
  reasonCodes: ['document_unreadable'],
  note: 'No.',
} as const;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const person = (userId: string): UserPrincipal =>
  ({ kind: 'user', userId, actor: { type: 'user', id: userId, display: userId } }) as unknown as UserPrincipal;
const [maker, checker] = [person(randomUUID()), person(randomUUID())];

/** A tenant with a business, about which decisions are made as its module would have them made. */
async function site(rules: Partial<DecisionCase> = {}) {
  const tenantId = await test.tenant();
  const subject: Subject = { kind: 'business', id: randomUUID() };
  await test.sql(
    `INSERT INTO business (tenant_id, id, environment, legal_name, registration, registration_number, legal_form,
      version, created_at, updated_at, created_by)
    VALUES ($1, $2, 'live', '', to_jsonb($3::text), $3::text, 'ltda', 1, now(), now(), '{}')`,
    [tenantId, subject.id, subject.id],
  );
  const within = <T>(run: (tx: Transaction) => Promise<T>): Promise<T> => test.database.transaction({ tenantId }, run);
  let name = 'Padaria Central Ltda.';
  const caseOf = async (tx: Transaction): Promise<DecisionCase> => {
    const policy = await readDecisionPolicy(tx, tenantId);
    const recorded = {
      documents: [],
      waivers: await listWaivers(tx, subject),
      attestations: await listAttestations(tx, subject),
      informationRequests: await listInformationRequests(tx, subject),
      policy,
    };
    const items = [evidenceItem('business', subject.id, { name }), ...recordedItems(recorded)];
    return {
      manifest: evidenceManifest(subject, environment, items),
      policy,
      riskAssessmentId: null,
      now,
      assertMayDecide: () => undefined,
      assertPermitted: () => undefined,
      fourEyesReasons: () => ['risk_high'],
      ...rules,
    };
  };
  const digest = (): Promise<string> => within(async (tx) => evidenceDigest((await caseOf(tx)).manifest));
  const decisions = () =>
    within(async (tx) => {
      const key = await openingKey(tx, { type: 'business', id: subject.id });
      return (await listDecisions(tx, subject)).map((row) => openedDecision(row, key));
    });
  return {
    subject,
    within,
    digest,
    decisions,
    about: { subject, environment, now } as const,
    rename: (changed: string) => {
      name = changed;
    },
    decide: async (input: object = {}, read?: string) => {
      const body = { ...REJECTION, reasonCodes: [...REJECTION.reasonCodes], evidenceDigest: read ?? (await digest()) };
      return within(async (tx) => makeDecision(tx, maker, await caseOf(tx), { ...body, ...input }));
    },
    review: async (by = checker, verdict: 'confirm' | 'return' = 'confirm') => {
      const [read, [proposed]] = await Promise.all([digest(), decisions()]);
      return within(async (tx) =>
        reviewDecision(tx, by, await caseOf(tx), {
          proposed: proposed!,
          verdict: { verdict, evidenceDigest: read, note: 'Read.' },
        }),
      );
    },
  };
}

const refusalOf = (refused: Promise<unknown>): Promise<Problem> =>
  refused.then(
    () => expect.fail('nothing was refused'),
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return error;
    },
  );

describe('a decision about a business', () => {
  it('takes effect when a second person confirms it, and keeps the manifest that it rests on', async () => {
    const { subject, decide, review, decisions, within } = await site();
    const proposed = await decide();
    expect(proposed).toMatchObject({ status: 'pending_review', fourEyesReasons: ['risk_high'] });
    expect((await refusalOf(review(maker))).code).toBe('self_approval_forbidden');
    expect((await review()).outcome).toBe('confirmed');
    expect(await decisions()).toMatchObject([
      {
        id: proposed.id,
        status: 'effective',
        note: 'No.',
        reviewNote: 'Read.',
        reviewedBy: { id: checker.userId },
      },
    ]);
    expect(await within((tx) => listDecidedManifests(tx, subject))).toMatchObject([
      { id: proposed.id, manifest: { subject, environment } },
    ]);
    expect(await within((tx) => listDecisions(tx, { kind: 'application', id: subject.id }))).toEqual([]);
  });

  it('takes effect at once if its module gives no reason for a second person', async () => {
    const { decide } = await site({ fourEyesReasons: () => [] });
    expect(await decide()).toMatchObject({ status: 'effective', effectiveAt: now.toISOString() });
  });

  it('is refused by the risk and the requirements that its module hands in', async () => {
    const refusing = (code: 'human_required' | 'checks_incomplete') => () => {
      throw new Problem(code, code === 'checks_incomplete' ? { items: [] } : {});
    };
    const byRisk = await site({ assertMayDecide: refusing('human_required') });
    const byRequirements = await site({ assertPermitted: refusing('checks_incomplete') });
    expect((await refusalOf(byRisk.decide())).code).toBe('human_required');
    expect((await refusalOf(byRequirements.decide())).code).toBe('checks_incomplete');
  });

  it('is refused on stale evidence, with what has changed', async () => {
    const { subject, decide, review, digest, rename } = await site();
    const read = await digest();
    await decide();
    await review(checker, 'return');
    rename('Padaria do Largo Ltda.');
    const { code, members } = await refusalOf(decide({}, read));
    expect([code, members]).toMatchObject([
      'evidence_changed',
      { changed: [{ kind: 'business', id: subject.id, change: 'changed' }] },
    ]);
    rename('Padaria Central Ltda.');
    await decide();
    rename('Padaria do Largo Ltda.');
    expect(await review()).toMatchObject({ outcome: 'stale', decision: { status: 'invalidated' } });
  });

  it('that waits is ended without a second person, once, and another can be proposed', async () => {
    const { subject, decide, decisions, within } = await site();
    const first = await decide();
    await expect(decide()).rejects.toThrow();
    expect(await within((tx) => invalidateProposal(tx, subject, now))).toEqual({ id: first.id, outcome: 'reject' });
    expect(await within((tx) => invalidateProposal(tx, subject, now))).toBeNull();
    await decide();
    expect((await decisions()).map(({ status }) => status)).toEqual(['pending_review', 'invalidated']);
  });

  it('loses the note of its reviewer with an erasure', async () => {
    const { subject, decide, review, decisions, within } = await site();
    await decide();
    await review();
    await within((tx) => eraseNotesOfReviews(tx, subject, now));
    expect(await decisions()).toMatchObject([{ reviewNote: null, note: 'No.' }]);
  });
});

describe('the ledgers of a business', () => {
  const waiver = {
    action: 'granted',
    requirementKey: 'articles',
    reasonCode: 'other',
    note: 'Seen.',
  } as const;

  it('hold waivers of requirements that the business has, and change its evidence', async () => {
    const { about, subject, digest, within } = await site();
    const before = await digest();
    const requirementOf = (key: string) => (key === 'articles' ? { isMet: false, unwaivable: null } : null);
    const record = (change: object = {}) =>
      within(async (tx) => {
        const ledger = await listWaivers(tx, subject);
        return recordWaiver(tx, maker, { ...about, ledger, requirementOf }, { ...waiver, ...change });
      });
    expect((await refusalOf(record({ requirementKey: 'cpf' }))).members).toMatchObject({
      errors: [{ message: 'must be a requirement of the business' }],
    });
    const granted = await record();
    expect((await refusalOf(record())).members).toMatchObject({ errors: [{ code: 'already_waived' }] });
    const revoked = await record({ action: 'revoked' });
    expect(Date.parse(revoked.createdAt)).toBe(Date.parse(granted.createdAt) + 1);
    expect((await within((tx) => listWaivers(tx, subject))).map(({ action }) => action)).toEqual([
      'revoked',
      'granted',
    ]);
    expect(await digest()).not.toBe(before);
  });

  it('hold attestations with the identity of the business', async () => {
    const { about, subject, within } = await site();
    const attested = within((tx) =>
      recordAttestation(
        tx,
        maker,
        {
          ...about,
          ledger: [],
          documents: [],
          identity: '{"cnpj": "1"}',
          isAttestable: () => true,
        },
        {
          requirementKey: 'registry_active',
          outcome: 'pass',
          source: 'The register.',
          lookedUpAt: now.toISOString(),
          note: 'Active.',
          evidenceDocumentId: null,
        },
      ),
    );
    expect(await attested).toMatchObject({ subject: '{"cnpj": "1"}' });
    expect(await within((tx) => listAttestations(tx, subject))).toHaveLength(1);
  });

  it('hold one open request for information', async () => {
    const { about, subject, within } = await site();
    const items = [
      { requirementKey: 'articles', reasonCode: 'other', messageToApplicant: 'Please send the articles.' },
    ];
    const asking = { ...about, requirements: [{ key: 'articles', satisfiedBy: [] }], dueDays: 15 };
    const ask = () => within((tx) => requestInformation(tx, maker, asking, { items }));
    const { id, dueAt } = await ask();
    expect(dueAt).toBe('2026-12-11T12:00:00.000Z');
    await expect(ask()).rejects.toThrow();
    const requests = await within((tx) => listInformationRequests(tx, subject));
    expect(() => assertNoneOpen(requests)).toThrow(Problem);
    expect((await within((tx) => findOpenRequest(tx, subject)))?.id).toBe(id);
    const end = () =>
      within((tx) => endInformationRequest(tx, subject, { status: 'answered', answeredAt: now.toISOString() }));
    expect([await end(), await end()]).toEqual([id, null]);
  });
});
