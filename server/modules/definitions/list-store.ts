import type { Environment } from '../../contract/operation.ts';
import { every, keyset, sql, statement, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { type Activation, activation, type Definition, definition, type DefinitionKind } from './store.ts';
import type { DefinitionStatus } from './store.ts';

const columns = definition.except('tenantId');
const activationColumns = activation.except('tenantId');

type OfKind = { tenantId: string; environment: Environment; kind: DefinitionKind };

const findAllActive = statement<OfKind, Definition>(
  'definition.allActive',
  (p) => sql`
  SELECT ${columns} FROM definition WHERE ${definition.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    kind: p.kind,
    status: 'active',
  })} ORDER BY key`,
);

const findKeys = statement<OfKind, { key: string }>(
  'definition.keys',
  (p) => sql`
  SELECT DISTINCT key FROM definition
    WHERE ${definition.equal({ tenantId: p.tenantId, environment: p.environment, kind: p.kind })} ORDER BY key`,
);

const findLastActivation = statement<{ tenantId: string; definitionId: string }, Activation>(
  'definition.lastActivation',
  (p) => sql`
  SELECT ${activationColumns} FROM definition_activation
    WHERE ${activation.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}
    ORDER BY sequence DESC LIMIT 1`,
);

/** Lists the active versions of all definitions of a kind, by key. */
export function activeDefinitions(
  tx: Transaction,
  environment: Environment,
  kind: DefinitionKind,
): Promise<Definition[]> {
  return tx.run(findAllActive, { tenantId: tx.tenantId!, environment, kind });
}

/** Lists the keys under which definitions of a kind exist, in any status. */
export async function keysOfKind(tx: Transaction, environment: Environment, kind: DefinitionKind): Promise<string[]> {
  const rows = await tx.run(findKeys, { tenantId: tx.tenantId!, environment, kind });
  return rows.map(({ key }) => key);
}

/** Finds the last request for the activation of a version. */
export async function lastActivation(tx: Transaction, definitionId: string): Promise<Activation | null> {
  return (await tx.run(findLastActivation, { tenantId: tx.tenantId!, definitionId }))[0] ?? null;
}

interface DefinitionFilter {
  readonly environment: Environment;
  readonly kinds: readonly DefinitionKind[];
  readonly key?: string | undefined;
  readonly statuses: readonly DefinitionStatus[];
}

interface ListPage {
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  readonly count: number;
}

/** Lists versions of these kinds by their numbers. */
export function listDefinitions(
  tx: Transaction,
  { environment, kinds, key, statuses }: DefinitionFilter,
  { direction, after, count }: ListPage,
): Promise<Definition[]> {
  const page = keyset(
    {
      key: definition.column('number'),
      type: sql`integer`,
      id: sql`id`,
      direction,
    },
    after,
  );
  return tx.query<Definition>(sql`
    SELECT ${columns} FROM definition WHERE ${every([
      definition.equal({ tenantId: tx.tenantId!, environment }),
      sql`kind = ANY (${kinds})`,
      key !== undefined && definition.equal({ key }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
