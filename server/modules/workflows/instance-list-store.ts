/** The list of instances, with its filters. */
import type { BusinessTimestamp } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, keyset, sql, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { type Instance, instance, type InstanceStatus } from './instance-store.ts';

interface InstanceFilter {
  readonly environment: Environment;
  readonly statuses: readonly InstanceStatus[];
  readonly definitionKey: string | undefined;
  readonly businessKey: string | undefined;
  readonly applicationId: string | undefined;
  readonly businessId: string | undefined;
  readonly hasIncident: boolean | undefined;
}

export type ListedInstance = Omit<Instance, 'state' | 'variables'> & { readonly startedAt: BusinessTimestamp };
const listed = instance.except('tenantId', 'state', 'variables');

/** Lists instances of an environment, the newest first. */
export function listInstances(
  tx: Transaction,
  { environment, statuses, definitionKey, businessKey, applicationId, businessId, hasIncident }: InstanceFilter,
  { after, count }: { readonly after: Position | null; readonly count: number },
): Promise<ListedInstance[]> {
  const page = keyset(
    {
      key: instance.column('startedAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction: 'desc',
    },
    after,
  );
  return tx.query<ListedInstance>(sql`
    SELECT ${listed} FROM workflow_instance WHERE ${every([
      instance.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      definitionKey !== undefined && instance.equal({ definitionKey }),
      businessKey !== undefined && instance.equal({ businessKey }),
      applicationId !== undefined && instance.equal({ applicationId }),
      businessId !== undefined && instance.equal({ businessId }),
      hasIncident !== undefined && (hasIncident ? sql`incident_count > 0` : sql`incident_count = 0`),
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
