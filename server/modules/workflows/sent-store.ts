/** The table of messages and signals that processes have sent and that are on their way. */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Variables } from '../../workflow/kernel/state.ts';

const sent = table(
  'workflow_sent',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    instanceId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    kind: code<'message' | 'signal'>(),
    name: text().impersonal('the name of a message or signal of the process'),
    correlationKey: text()
      .nullable()
      .changes('its subject is erased')
      .unsealed('variables hold references such as ids and codes; an erasure empties them')
      .erasedTo(null),
    variables: json<Variables>()
      .changes('its subject is erased')
      .unsealed('variables hold references such as ids and codes; an erasure empties them')
      .erasedTo({}),
    createdAt: timestamp(),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { kind: 'message', variables: {} },
  },
);

const columns = sent.except('tenantId', 'createdAt');
export type Sent = RowOf<typeof columns>;

const insert = statement<InsertOf<typeof sent>>('workflowSent.insert', (p) => sent.insert(p));

const take = statement<{ tenantId: string; id: string }, Sent>(
  'workflowSent.take',
  (p) => sql`
  DELETE FROM workflow_sent WHERE ${sent.equal({ tenantId: p.tenantId, id: p.id })} RETURNING ${columns}`,
);

export function insertSent(tx: Transaction, row: Sent, now: RealTime): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId!, createdAt: now });
}

/** Takes what was sent off its way, in the transaction that delivers it. */
export async function takeSent(tx: Transaction, id: string): Promise<Sent | null> {
  return (await tx.run(take, { tenantId: tx.tenantId!, id }))[0] ?? null;
}
