import type { Transaction } from '../../database/index.ts';

export function tenantOf({ tenantId }: Transaction): string {
  if (tenantId === null) throw new Error('A journal is that of one tenant');
  return tenantId;
}
