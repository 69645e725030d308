/** Tests of publishing an event to listeners in one transaction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { appendAudit } from '../../audit/chain.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { listeners } from '../../modules.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { publish, registerListeners, type SubjectEvent, type SubjectListener } from './index.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

let test: TestDatabase;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
});
afterAll(async () => {
  // Later files of this process start services, which hear by the listeners of the modules.
  registerListeners(listeners);
  await test.close();
});

const now = new Date();
const event = (): SubjectEvent<'subject.submitted'> => ({
  type: 'subject.submitted',
  subject: { kind: 'application', id: uuidv7() },
  environment: 'live',
  at: businessTimeAt(now),
  now,
});

const queue = (name: string): SubjectListener => ({
  event: 'subject.submitted',
  hear: async (tx, { subject }) => enqueueTask(tx, { name }, subject.id, now),
});
const fail: SubjectListener = {
  event: 'subject.submitted',
  hear: async () => {
    throw new Error('the listener failed');
  },
};

/** Writes a cause, publishes the event in the same transaction, and commits. */
const cause = (of: SubjectEvent<'subject.submitted'>): Promise<void> =>
  test.database.transaction({ tenantId }, async (tx) => {
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment: 'live',
      action: 'application.submitted',
      outcome: 'success',
      actor: {
        type: 'system',
        id: null,
        display: 'test',
        impersonatorId: null,
      },
      resource: { type: 'application', id: of.subject.id },
    });
    await publish(tx, of);
  });

/** Returns what a transaction about the subject has left: its audit event, and the tasks of listeners. */
async function leftOf({ subject: { id } }: SubjectEvent<'subject.submitted'>): Promise<string[]> {
  const [events, tasks] = await Promise.all([
    test.sql<{ action: string }>('SELECT action FROM audit_event WHERE resource_id = $1', [id]),
    test.sql<{ kind: string }>('SELECT kind FROM task WHERE subject_id = $1 ORDER BY id', [id]),
  ]);
  return [...events.map(({ action }) => action), ...tasks.map(({ kind }) => kind)];
}

describe('an event about a subject', () => {
  it('is heard by every listener of its type, in their order, and its cause is committed with their effects', async () => {
    const other: SubjectListener = { event: 'subject.expired', hear: fail.hear as () => Promise<void> };
    registerListeners([queue('test.first'), other, queue('test.second')]);
    const published = event();
    await cause(published);
    expect(await leftOf(published)).toEqual(['application.submitted', 'test.first', 'test.second']);
  });

  it('is undone with its cause and the effects of other listeners if a listener fails', async () => {
    registerListeners([queue('test.first'), fail]);
    const published = event();
    await expect(cause(published)).rejects.toThrow('the listener failed');
    expect(await leftOf(published)).toEqual([]);
  });

  it('needs no listener', async () => {
    registerListeners([]);
    const published = event();
    await cause(published);
    expect(await leftOf(published)).toEqual(['application.submitted']);
  });
});
