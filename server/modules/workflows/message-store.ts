/** The table of messages and signals that instances wait for, and every statement about it. */
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  every,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { instance, type InstanceStatus } from './instance-store.ts';

/**
 * A message or signal that an instance waits for. It follows from the state; the row is the index by which it is found.
 */
const awaited = table(
  'workflow_awaited_message',
  {
    tenantId: uuid(),
    instanceId: uuid(),
    subscription: integer(),
    environment: code<Environment>(),
    kind: code<'message' | 'signal'>(),
    name: text().impersonal('the name of a message or signal of the process'),
    correlationKey: text().nullable().impersonal('a reference of the tenant, deleted with the state of its instance'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { kind: 'message' },
  },
);

const columns = awaited.select('instanceId', 'subscription');

/** Who waits for a message, and where. */
export type Waiting = RowOf<typeof columns>;

type OfInstance = { tenantId: string; instanceId: string };

const insert = statement<InsertOf<typeof awaited>>('workflowAwaitedMessage.insert', (p) => awaited.insert(p));

const drop = statement<OfInstance & { subscriptions: readonly number[] }>(
  'workflowAwaitedMessage.delete',
  (p) => sql`
  DELETE FROM workflow_awaited_message
    WHERE ${awaited.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
      AND subscription = ANY (${p.subscriptions})`,
);

export function insertAwaited(tx: Transaction, row: Omit<InsertOf<typeof awaited>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export function deleteAwaited(tx: Transaction, instanceId: string, subscriptions: readonly number[]): void {
  void tx.run(drop, { tenantId: tx.tenantId!, instanceId, subscriptions });
}

interface Wanted {
  readonly environment: Environment;
  readonly name: string;
  readonly correlationKey: string | undefined;
  readonly businessKey: string | undefined;
  readonly statuses: readonly InstanceStatus[];
}

/** Returns at most two of the instances in these statuses that wait for a message. */
export function findAwaiting(
  tx: Transaction,
  { environment, name, correlationKey, businessKey, statuses }: Wanted,
): Promise<Waiting[]> {
  return tx.query<Waiting>(sql`
    SELECT ${columns} FROM workflow_awaited_message WHERE ${every([
      awaited.equal({
        tenantId: tx.tenantId!,
        environment,
        kind: 'message',
        name,
      }),
      correlationKey === undefined ? sql`correlation_key IS NULL` : awaited.equal({ correlationKey }),
      sql`EXISTS (SELECT FROM workflow_instance i WHERE i.tenant_id = workflow_awaited_message.tenant_id
        AND i.id = workflow_awaited_message.instance_id AND i.status = ANY (${statuses})
        AND (${businessKey ?? null}::text IS NULL OR i.business_key = ${businessKey ?? null}))`,
    ])} ORDER BY instance_id, subscription LIMIT 2`);
}

const findHearing = bySubject((member, kind) =>
  statement<OfSubject & { name: string }, { id: string }>(
    `workflowAwaitedMessage.hearing.${kind}`,
    (p) => sql`
  SELECT i.id FROM workflow_instance i
    WHERE i.tenant_id = ${p.tenantId} AND i.${instance.column(member)} = ${p.subjectId}
      AND i.status IN ('active', 'suspended')
      AND (EXISTS (SELECT FROM workflow_awaited_message m WHERE m.tenant_id = i.tenant_id AND m.instance_id = i.id
          AND m.kind = 'message' AND m.name = ${p.name})
        OR EXISTS (SELECT FROM workflow_command c WHERE c.tenant_id = i.tenant_id AND c.instance_id = i.id))
    ORDER BY i.id`,
  ),
);

/**
 * Returns the instances about a subject that wait for a message, whatever its correlation key, or that may begin to
 * wait for it by a step that is still to be computed.
 */
export async function hearingAbout(tx: Transaction, subject: Subject, name: string): Promise<string[]> {
  return (await tx.run(findHearing(subject), { ...keyOf(tx, subject), name })).map(({ id }) => id);
}

const findForSignal = statement<{ tenantId: string; environment: Environment; name: string }, Waiting>(
  'workflowAwaitedMessage.signal',
  (p) => sql`
  SELECT ${columns} FROM workflow_awaited_message
    WHERE ${awaited.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      kind: 'signal',
      name: p.name,
    })}
    ORDER BY instance_id, subscription`,
);

/** Returns where instances wait for a signal. */
export function awaitingSignal(tx: Transaction, environment: Environment, name: string): Promise<Waiting[]> {
  return tx.run(findForSignal, { tenantId: tx.tenantId!, environment, name });
}
