/** API test of the figures of the coverage along every path through the statuses. */
import { expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { operations } from '../../server/contract/generated/operations.ts';
import { newCpf } from '../support/cpf.ts';
import { setSection } from '../support/onboarding.ts';
import { type Credential, shared } from '../support/service.ts';
import { startMonitoringWorld } from './monitoring-world.ts';

type Application = components['schemas']['Application'];

const world = await shared(startMonitoringWorld());
const tenant = await world.tenant();
const [key, officer, second] = await Promise.all([
  tenant.key(['read', 'write', 'screening']),
  tenant.user('compliance_officer'),
  tenant.user('compliance_officer', { purpose: 'second' }),
]);

/**
 * Expected state of an application: its status, whether the last decision was an approval, and whether the relationship
 * has ended since.
 */
interface Model {
  readonly status: Application['status'];
  readonly isCustomer: boolean;
  readonly hasEnded: boolean;
}

const call = <T>(method: string, path: string, body?: object, as: Credential = officer) =>
  world.request<T>(method, path, { as, ...(body !== undefined && { body }) });
const read = async (id: string): Promise<Application> =>
  (await call<Application>('GET', `/v1/applications/${id}`)).body;

async function done(answer: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
}

const note = 'Passport and address agree.';
/**
 * Decides with the present evidence digest; the application is screened first, because one person may not approve it
 * otherwise.
 */
async function decide(id: string, by: typeof people, body: object): Promise<void> {
  await decidedBy(by);
  await done(call('POST', '/v1/screenings', { applicationId: id }, key));
  await done(
    call('POST', `/v1/applications/${id}/decisions`, {
      note,
      evidenceDigest: (await read(id)).evidenceDigest,
      ...body,
    }),
  );
}
async function verdict(id: string, reviewVerdict: 'confirm' | 'return'): Promise<void> {
  const { decisions = [], evidenceDigest } = await read(id);
  await done(
    call(
      'POST',
      `/v1/applications/${id}/decisions/${decisions[0]!.id}/review`,
      { verdict: reviewVerdict, note, evidenceDigest },
      second,
    ),
  );
}
/** Lets the deadline of the status pass. */
async function pass(id: string, column: 'expires_at' | 'valid_until'): Promise<void> {
  await world.database.sql(`UPDATE application SET ${column} = now() - interval '1 minute' WHERE id = $1`, [id]);
  await world.running.runJob('applications.expire');
}

let people: 1 | 2 = 1;
/** Sets the number of reviewers for cases of low risk. */
async function decidedBy(count: typeof people): Promise<void> {
  if (count === people) return;
  people = count;
  await setSection(world, await tenant.user('owner', { secondFactor: true }), {
    decisionPolicy: { fourEyes: { levels: count === 2 ? ['low', 'medium', 'high'] : ['high'] } },
  });
}
const APPROVE = { outcome: 'approve', reasonCodes: ['identity_confirmed'] };
const REJECT = { outcome: 'reject', rejectType: 'retry', reasonCodes: ['document_unreadable'] };

/** Steps that lead an application from one status into another, with their effect on the expected state. */
const steps: Readonly<
  Record<
    string,
    {
      readonly from: (model: Model) => boolean;
      readonly act: (id: string) => Promise<void>;
      readonly to: (model: Model) => Model;
    }
  >
> = {
  approve: {
    from: ({ status }) => status === 'in_review',
    act: (id) => decide(id, 1, APPROVE),
    to: () => ({ status: 'approved', isCustomer: true, hasEnded: false }),
  },
  reject: {
    from: ({ status }) => status === 'in_review',
    act: (id) => decide(id, 1, REJECT),
    to: () => ({ status: 'rejected', isCustomer: false, hasEnded: false }),
  },
  propose: {
    from: ({ status }) => status === 'in_review',
    act: (id) => decide(id, 2, APPROVE),
    to: (model) => ({ ...model, status: 'pending_approval' }),
  },
  confirm: {
    from: ({ status }) => status === 'pending_approval',
    act: (id) => verdict(id, 'confirm'),
    to: () => ({ status: 'approved', isCustomer: true, hasEnded: false }),
  },
  return: {
    from: ({ status }) => status === 'pending_approval',
    act: (id) => verdict(id, 'return'),
    to: (model) => ({ ...model, status: 'in_review' }),
  },
  ask: {
    from: ({ status }) => status === 'in_review',
    act: (id) =>
      done(
        call('POST', `/v1/applications/${id}/information-requests`, {
          items: [
            { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When were you born?' },
          ],
        }),
      ),
    to: (model) => ({ ...model, status: 'needs_information' }),
  },
  answer: {
    from: ({ status }) => status === 'needs_information',
    act: async (id) => {
      await done(call('PATCH', `/v1/applications/${id}`, { applicant: { dateOfBirth: '1971-08-10' } }, key));
      await done(call('POST', `/v1/applications/${id}/submit`, undefined, key));
    },
    to: (model) => ({ ...model, status: 'in_review' }),
  },
  // A customer who does not answer remains a customer, because nobody has decided otherwise.
  ignore: {
    from: ({ status }) => status === 'needs_information',
    act: (id) => pass(id, 'expires_at'),
    to: (model) => ({ ...model, status: 'expired' }),
  },
  withdraw: {
    from: ({ status }) => operations.withdrawApplication.transitions.from.some((from) => from === status),
    act: (id) => done(call('POST', `/v1/applications/${id}/withdraw`, { reasonCode: 'applicant_request' }, key)),
    to: () => ({ status: 'withdrawn', isCustomer: false, hasEnded: false }),
  },
  reopen: {
    from: ({ status }) => operations.reopenApplication.transitions.from.some((from) => from === status),
    act: (id) =>
      done(
        call('POST', `/v1/applications/${id}/reopen`, {
          reasonCode: 'new_evidence',
          note: 'A newer passport has come.',
          requestedBy: 'applicant',
        }),
      ),
    // Reopening revokes the end of the relationship.
    to: ({ isCustomer, hasEnded }) => ({ status: 'in_review', isCustomer: isCustomer || hasEnded, hasEnded: false }),
  },
  lapse: {
    from: ({ status }) => status === 'approved',
    act: (id) => pass(id, 'valid_until'),
    to: (model) => ({ ...model, status: 'expired' }),
  },
  end: {
    from: ({ status, isCustomer }) =>
      isCustomer && operations.endRelationship.transitions.from.some((from) => from === status),
    act: (id) => done(call('POST', `/v1/applications/${id}/end-relationship`, { reasonCode: 'customer_request' }, key)),
    to: (model) => ({ ...model, isCustomer: false, hasEnded: true }),
  },
};

/** Returns every step from every reachable state, each by the shortest path to the state. */
function paths(): string[][] {
  const begin: Model = { status: 'in_review', isCustomer: false, hasEnded: false };
  const seen = new Set([JSON.stringify(begin)]);
  const found: string[][] = [];
  const queue: { model: Model; path: string[] }[] = [{ model: begin, path: [] }];
  for (const { model, path } of queue) {
    const possible = Object.entries(steps).filter(([, { from }]) => from(model));
    if (possible.length === 0) found.push(path);
    for (const [name, { to }] of possible) {
      const next = to(model);
      if (seen.has(JSON.stringify(next))) found.push([...path, name]);
      else {
        seen.add(JSON.stringify(next));
        queue.push({ model: next, path: [...path, name] });
      }
    }
  }
  return found;
}

it('counts, after every step of every path through the statuses, exactly the customers, and monitors each of them', async () => {
  const all = paths();
  expect(all.length).toBeGreaterThan(15);
  expect(new Set(all.flat())).toEqual(new Set(Object.keys(steps)));
  const models = new Map<string, Model>();
  for (const path of all) {
    const created = await call<Application>(
      'POST',
      '/v1/applications',
      {
        purpose: 'account_opening',
        level: 'basic',
        submit: true,
        applicant: {
          fullName: 'Quirino Zagalho Tapajós',
          dateOfBirth: '1971-08-09',
          taxId: { type: 'cpf', value: newCpf() },
        },
      },
      key,
    );
    const { id } = created.body;
    let model: Model = { status: 'in_review', isCustomer: false, hasEnded: false };
    for (const [index, name] of path.entries()) {
      await steps[name]!.act(id);
      model = steps[name]!.to(model);
      models.set(id, model);
      const [{ approvedSubjects, monitored, unmonitored }, { status }] = await Promise.all([
        world.coverage(officer),
        read(id),
      ]);
      const customers = [...models.values()].filter(({ isCustomer }) => isCustomer).length;
      expect(
        {
          status,
          approvedSubjects,
          monitored,
          unmonitored,
        },
        path.slice(0, index + 1).join(', '),
      ).toEqual({
        status: model.status,
        approvedSubjects: customers,
        monitored: customers,
        unmonitored: [],
      });
      const activeSubscriptions = await world.database.sql(
        `SELECT FROM monitoring_subscription WHERE application_id = $1 AND status <> 'ended'`,
        [id],
      );
      expect(activeSubscriptions, path.slice(0, index + 1).join(', ')).toHaveLength(model.isCustomer ? 1 : 0);
    }
  }
  // The periodic work would find customers without a subscription; there are none.
  const before = await world.database.sql('SELECT FROM monitoring_subscription');
  await world.running.runJob('monitoring.due');
  expect(await world.database.sql('SELECT FROM monitoring_subscription')).toHaveLength(before.length);
}, 120_000);
