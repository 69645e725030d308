import { sql, statement } from '../../database/index.ts';
import type { Evidence, StepContext } from './step.ts';

interface KeyRow {
  readonly prefix: string;
  readonly restricted: boolean;
}

const MOST = 20;

/** Keys of production that work, those without a restriction first. */
const usableKeys = statement<{ tenantId: string; now: Date }, KeyRow>('onboarding.usableKeys', (p) => sql`
  SELECT prefix, (cardinality(ip_allowlist) > 0 OR ends_at IS NOT NULL) AS restricted FROM api_key
  WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'live' AND status <> 'revoked' AND (ends_at IS NULL OR ends_at > ${p.now}::timestamptz)
  ORDER BY 2, created_at LIMIT ${MOST}`);

export async function apiKeyCreated({ tx, tenantId, now }: StepContext): Promise<Evidence[]> {
  return (await tx.run(usableKeys, { tenantId, now })).map(evidence);
}

/** All of them: one key that works from anywhere for ever is as good to a thief as many. */
export async function apiKeysRestricted({ tx, tenantId, now }: StepContext): Promise<Evidence[]> {
  const keys = await tx.run(usableKeys, { tenantId, now });
  return keys.every(({ restricted }) => restricted) ? keys.map(evidence) : [];
}

function evidence({ prefix }: KeyRow): Evidence {
  return { type: 'api_key', id: prefix };
}
