/**
 * Looks up names for the ids in audit events. Used by events.ts when a page is shown. Events themselves are never
 * changed.
 */
import type { AuditRow } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { maskName } from '../../rules/mask.ts';

/**
 * Names of actors and resources of events, because people cannot read UUIDs. The names are looked up when a page is
 * read and returned beside the events, not in them: an event is exactly what was hashed, and a name may change or be
 * erased.
 */

type Name = components['schemas']['AuditName'];
type Named = Pick<Name, 'type' | 'id'>;

interface NameRow extends Named {
  readonly name: string | null;
  /** Whether the name is that of an applicant, which is masked for some readers. */
  readonly isPersonal: boolean;
}

/**
 * Finds the names for a page in one statement. An id that is not a UUID belongs to a record with another kind of id.
 */
const findNames = statement<
  {
    tenantId: string;
    types: readonly string[];
    ids: readonly string[];
    environments: readonly string[];
  },
  NameRow
>(
  'auditEvent.names',
  (p) => sql`
  SELECT wanted.type, wanted.id, named.name, coalesce(named.personal, false) AS "isPersonal"
  FROM (
    SELECT type, id, CASE WHEN id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN id::uuid END AS uuid
    FROM unnest(${p.types}::text[], ${p.ids}::text[]) AS given (type, id)
  ) wanted
  LEFT JOIN LATERAL (
    SELECT coalesce(nullif(m.name, ''), nullif(u.name, ''), u.email) AS name, false AS personal
    FROM membership m JOIN user_account u ON u.id = m.user_id
    WHERE wanted.type IN ('user', 'platform_user') AND m.tenant_id = ${p.tenantId}::uuid AND m.user_id = wanted.uuid
    UNION ALL
    SELECT name, false FROM api_key WHERE wanted.type IN ('api_key', 'oauth_client') AND tenant_id = ${p.tenantId}::uuid
      AND prefix = wanted.id
    UNION ALL
    SELECT coalesce(external_id, full_name), external_id IS NULL FROM application
    WHERE wanted.type = 'application' AND tenant_id = ${p.tenantId}::uuid AND id = wanted.uuid
      AND environment = ANY (${p.environments})
    UNION ALL
    SELECT type, false FROM document
    WHERE wanted.type = 'document' AND tenant_id = ${p.tenantId}::uuid AND id = wanted.uuid
      AND environment = ANY (${p.environments})
    UNION ALL
    SELECT name, false FROM tenant WHERE wanted.type IN ('tenant', 'settings', 'audit_log', 'sandbox_clock')
      AND id = ${p.tenantId}::uuid AND id = wanted.uuid
  ) named ON true`,
);

const NAMED: ReadonlySet<string> = new Set([
  'user',
  'platform_user',
  'api_key',
  'oauth_client',
  'application',
  'document',
  'tenant',
  'settings',
  'audit_log',
  'sandbox_clock',
]);

interface Reader {
  readonly principal: AnyPrincipal;
  readonly visible: readonly Environment[];
}

/**
 * Returns the names of actors and resources of these events, each once, in the order of the events. The name is null if
 * the record is gone.
 */
export async function namesOf(
  tx: Transaction,
  rows: readonly AuditRow[],
  { principal, visible }: Reader,
): Promise<Name[]> {
  const wanted = new Map<string, Named>();
  for (const { actor, resourceType, resourceId } of rows) {
    for (const { type, id } of [actor, { type: resourceType, id: resourceId }]) {
      if (id !== null && NAMED.has(type)) wanted.set(`${type} ${id}`, { type, id });
    }
  }
  if (wanted.size === 0) return [];
  const records = [...wanted.values()];
  const found = await tx.run(findNames, {
    tenantId: principal.tenantId,
    types: records.map(({ type }) => type),
    ids: records.map(({ id }) => id),
    environments: visible,
  });
  const names = new Map(
    found.map(({ type, id, name, isPersonal }) => [
      `${type} ${id}`,
      name !== null && isPersonal && principal.personalData === 'masked' ? maskName(name) : name,
    ]),
  );
  return [...wanted].map(([key, { type, id }]) => ({ type, id, name: names.get(key) ?? null }));
}
