/** The table of what happened at the elements of instances, and every statement about it. */
import type { BusinessTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { HistoryEvent } from '../../workflow/kernel/run.ts';

/** Something that happened at an element. It names no person and no value, and an erasure leaves it. */
const history = table(
  'workflow_history',
  {
    tenantId: uuid(),
    instanceId: uuid(),
    number: integer(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    event: code<HistoryEvent>(),
    elementId: code(),
    execution: integer(),
    happenedAt: businessTimestamp(),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
  },
);

const columns = history.select('id', 'number', 'event', 'elementId', 'execution', 'happenedAt');
export type HistoryEntry = RowOf<typeof columns>;

type Appended = {
  readonly environment: Environment;
  readonly applicationId: string | null;
  readonly businessId: string | null;
  readonly events: readonly HistoryEvent[];
  readonly elements: readonly string[];
  readonly executions: readonly number[];
};

type OfInstance = { tenantId: string; instanceId: string };

const append = statement<OfInstance & Appended & { ids: readonly string[]; at: BusinessTime }>(
  'workflowHistory.append',
  (p) => sql`
  INSERT INTO workflow_history (${history.list(...history.members)})
  SELECT ${p.tenantId}::uuid, ${p.instanceId}::uuid, before.number + one.position, one.id, ${p.environment}::text,
    ${p.applicationId}::uuid, ${p.businessId}::uuid, one.event, one.element_id, one.execution, ${p.at}::timestamptz
  FROM (SELECT coalesce(max(number), 0) AS number FROM workflow_history
      WHERE ${history.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}) before,
    unnest(${p.ids}::uuid[], ${p.events}::text[], ${p.elements}::text[], ${p.executions}::integer[])
      WITH ORDINALITY AS one (id, event, element_id, execution, position)`,
);

const select = statement<OfInstance & { after: number | null; count: number }, HistoryEntry>(
  'workflowHistory.select',
  (p) => sql`
  SELECT ${columns} FROM workflow_history
    WHERE ${history.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
      AND (${p.after}::integer IS NULL OR number > ${p.after}::integer) ORDER BY number LIMIT ${p.count}`,
);

const selectPassed = statement<OfInstance, { elementId: string }>(
  'workflowHistory.passed',
  (p) => sql`
  SELECT DISTINCT element_id AS "elementId" FROM workflow_history
    WHERE ${history.equal({ tenantId: p.tenantId, instanceId: p.instanceId })} AND event IN ('completed', 'fired')`,
);

/** Appends what a step did, in its order. The caller has locked the instance, so the numbers have no gaps. */
export function appendHistory(tx: Transaction, instanceId: string, appended: Appended, at: BusinessTime): void {
  void tx.run(append, {
    tenantId: tx.tenantId!,
    instanceId,
    ...appended,
    ids: appended.events.map(() => uuidv7()),
    at,
  });
}

/** Lists what happened, the oldest first. */
export function listHistory(
  tx: Transaction,
  instanceId: string,
  { after, count }: { readonly after: number | null; readonly count: number },
): Promise<HistoryEntry[]> {
  return tx.run(select, {
    tenantId: tx.tenantId!,
    instanceId,
    after,
    count,
  });
}

/** Returns the elements that a token has passed. */
export async function passedElements(tx: Transaction, instanceId: string): Promise<string[]> {
  return (await tx.run(selectPassed, { tenantId: tx.tenantId!, instanceId })).map(({ elementId }) => elementId);
}
