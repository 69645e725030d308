/** API tests of what a decision leaves in the application, the timeline and the log. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { type Application, type Schemas, refusal } from './applications-world.ts';
import { approval, exposed, rejection, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

type Status = Application['status'];

/** Functions that bring an application into each status through the API, except where no call leads there. */
const ways: Readonly<Record<Status, () => Promise<Application>>> = {
  draft: () => world.complete(),
  in_review: () => world.inReview(),
  pending_approval: async () => (await world.proposed()).application,
  approved: async () => {
    const application = await world.inReview();
    await world.decide(application);
    return application;
  },
  rejected: async () => {
    const application = await world.inReview();
    await world.decide(application, rejection);
    return application;
  },
  withdrawn: async () => {
    const application = await world.inReview();
    await world.request('POST', `/v1/applications/${application.id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'other' },
    });
    return application;
  },
  submitted: () => put('submitted'),
  needs_information: () => put('needs_information'),
  expired: () => put('expired'),
};

async function put(status: Status): Promise<Application> {
  const application = await world.inReview();
  await world.database.sql('UPDATE application SET status = $2 WHERE id = $1', [application.id, status]);
  return application;
}

const statuses = Object.keys(ways) as Status[];
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['in_review', 'withdrawn'],
  submitted: ['withdrawn'],
  in_review: ['needs_information', 'approved', 'rejected', 'pending_approval', 'withdrawn'],
  needs_information: ['in_review', 'withdrawn'],
  pending_approval: ['approved', 'rejected', 'in_review', 'withdrawn'],
  approved: ['in_review'],
  rejected: ['in_review'],
  withdrawn: [],
  expired: [],
};
const steps = {
  decide: { from: ['in_review'], take: (application: Application) => world.decide(application) },
  reopen: { from: ['approved', 'rejected'], take: (application: Application) => world.reopen(application) },
  review: {
    from: ['pending_approval'],
    take: async (application: Application) => {
      const {
        body: { decisions = [] },
      } = await world.get(application.id);
      return world.review(application, decisions[0] ?? (await world.proposed()).decision);
    },
  },
} as const;

describe.each(Object.entries(steps))('the step %s', (name, { from, take }) => {
  const allowed: readonly Status[] = from;

  it.each(allowed)('is taken from %s', async (status) => {
    expect((await take(await ways[status]())).status).toBeLessThan(300);
  });

  // A decision of another application is not found, whatever the status.
  it.each(
    statuses.filter(
      (status) => !allowed.includes(status) && (name !== 'review' || status === 'approved' || status === 'rejected'),
    ),
  )('is refused from %s, with the statuses that may follow', async (status) => {
    const application = await ways[status]();
    const answer = await take(application);
    expect([...refusal(answer), answer.body.currentStatus, answer.body.allowedTransitions]).toEqual([
      409,
      'invalid_state_transition',
      status,
      NEXT[status],
    ]);
    expect((await world.get(application.id)).body.status).toBe(status);
  });
});

describe('what was noted about a person', () => {
  const secrets = ['met the mayor at the gate', 'says so in the file', 'Dear Maria'];

  it('is shown to readers who see persons, and to nobody else', async () => {
    const application = await world.inReview(exposed);
    const { body: decision } = await world.decide(application, {
      note: `${secrets[0]}.`,
      applicantMessage: secrets[2],
    });
    await world.review(application, decision, { note: `${secrets[1]}.` });
    const full = await world.get(application.id, await world.acme.user('auditor'));
    for (const secret of secrets) expect(full.text).toContain(secret);
    const masked = await world.get(application.id, await world.acme.user('viewer'));
    for (const secret of secrets) expect(masked.text).not.toContain(secret);
    expect(masked.body.decisions).toMatchObject([
      {
        note: '***',
        reviewNote: '***',
        applicantMessage: '***',
        reasonCodes: ['identity_confirmed'],
        fourEyesReasons: [],
      },
    ]);
    expect(full.body.decisions?.[0]?.fourEyesReasons).toEqual(['pep_declared']);
  });

  it('is not in the audit log, which contains who decided what, and no digest by which a masked reader of the log could check a guess', async () => {
    const { application, decision } = await world.proposed();
    await world.review(application, decision, { verdict: 'return', note: `${secrets[1]}.` });
    await world.decide(application, { ...rejection, note: `${secrets[0]}.` });
    const rows = await world.database.sql<{ action: string; changes: { path: string; value?: unknown }[] }>(
      `SELECT action, changes FROM audit_event WHERE tenant_id = $1
        AND (resource_id = $2 OR changes::text LIKE '%' || $2 || '%') ORDER BY sequence`,
      [world.acme.id, application.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'risk.assessed',
      'application.created',
      'application.submitted',
      'decision.proposed',
      'application.status_changed',
      'decision.returned',
      'application.status_changed',
      'decision.proposed',
      'application.status_changed',
    ]);
    expect(JSON.stringify(rows)).not.toContain(approval.note);
    for (const secret of [...secrets, 'pep']) expect(JSON.stringify(rows)).not.toContain(secret);
    const proposed = Object.fromEntries(
      rows.find(({ action }) => action === 'decision.proposed')?.changes.map(({ path, value }) => [path, value]) ?? [],
    );
    expect(proposed).toMatchObject({
      '/applicationId': application.id,
      '/applicationStatus': 'pending_approval',
      '/outcome': 'approve',
      '/status': 'pending_review',
      '/reasonCodes': ['identity_confirmed'],
      '/policyVersion': 1,
    });
    expect(JSON.stringify(rows)).not.toContain(application.evidenceDigest);
  });
});

it('is recorded in the timeline: who proposed, returned, confirmed and reopened what', async () => {
  const { application, decision } = await world.proposed();
  await world.review(application, decision, { verdict: 'return' });
  const { body: second } = await world.decide(application, rejection);
  await world.review(application, second);
  await world.reopen(application);
  const {
    body: { items },
  } = await world.request<{ items: Schemas['ApplicationEvent'][] }>(
    'GET',
    `/v1/applications/${application.id}/timeline`,
    { as: world.key },
  );
  expect(
    items
      .slice(0, 5)
      .map(({ type, status, decisionId, decisionOutcome }) => [type, status, decisionId, decisionOutcome]),
  ).toEqual([
    ['application.reopened', 'in_review', null, null],
    ['decision.confirmed', 'rejected', second.id, 'reject'],
    ['decision.proposed', 'pending_approval', second.id, 'reject'],
    ['decision.returned', 'in_review', decision.id, 'approve'],
    ['decision.proposed', 'pending_approval', decision.id, 'approve'],
  ]);
});
