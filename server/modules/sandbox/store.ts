/**
 * Statements on the switch of the sandbox and its contents. Used by handlers.ts and status.ts. Turning the switch on
 * sends requests of unpinned live keys to the sandbox, so its use is audited by the handlers.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { type RowOf, sql, statement } from '../../database/index.ts';
import { apiKey, tenant } from '../../identity/tables.ts';

type Actor = components['schemas']['Actor'];
type Tenant = { tenantId: string };

const shown = tenant.select(
  'status',
  'sandboxEnabled',
  'sandboxEnabledAt',
  'sandboxEnabledBy',
  'sandboxClockOffsetSeconds',
);

export const findSwitch = statement<Tenant, RowOf<typeof shown>>(
  'sandbox.switch',
  (p) => sql`SELECT ${shown} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`,
);

export const switchOn = statement<Tenant & { now: RealTime; actor: Actor }>(
  'sandbox.switchOn',
  (p) => sql`
  UPDATE tenant
  SET ${tenant.assign({
    sandboxEnabled: true,
    sandboxEnabledAt: p.now,
    sandboxEnabledBy: p.actor,
    sandboxChangedAt: p.now,
    updatedAt: p.now,
  })}
  WHERE ${tenant.equal({ id: p.tenantId, sandboxEnabled: false })}`,
);

export const switchOff = statement<Tenant & { now: RealTime }>(
  'sandbox.switchOff',
  (p) => sql`
  UPDATE tenant
  SET ${tenant.assign({
    sandboxEnabled: false,
    sandboxEnabledAt: null,
    sandboxEnabledBy: null,
    sandboxChangedAt: p.now,
    updatedAt: p.now,
  })}
  WHERE ${tenant.equal({ id: p.tenantId, sandboxEnabled: true })}`,
);

interface CountsRow {
  readonly applications: number;
  readonly documents: number;
  readonly events: number;
}

export const countRecords = statement<Tenant, CountsRow>(
  'sandbox.counts',
  (p) => sql`
  SELECT
    (SELECT count(*) FROM application
      WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'sandbox') AS applications,
    (SELECT count(*) FROM document WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'sandbox') AS documents,
    (SELECT count(*) FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = 'sandbox') AS events`,
);

/** Finds unpinned live keys that were used recently, whose requests the switch redirects to the sandbox. */
export const findDivertedKeys = statement<Tenant & { since: Date }, { prefix: string }>(
  'sandbox.divertedKeys',
  (p) => sql`
  SELECT ${apiKey.select('prefix')} FROM api_key
  WHERE ${apiKey.equal({ tenantId: p.tenantId, environment: 'live', pinEnvironment: false })} AND status <> 'revoked'
    AND last_used_at >= ${p.since}
  ORDER BY prefix LIMIT 100`,
);
