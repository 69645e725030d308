import type { AnyPrincipal } from '../../../contract/principal.ts';
import type { Transaction } from '../../../database/index.ts';
import { readSettings } from '../../settings/index.ts';
import { maskPersonalData } from './personal-data.ts';

type Payload = Record<string, unknown> | null;
export type PayloadView = (payload: Payload) => Payload;

/**
 * How payloads are shown: complete, or with what tells of persons masked, because the tenant wants it so for everybody or
 * because the caller is shown no more. Decided on reading, so that it holds at once for everything that was ever published,
 * and what the directory said stays evidence.
 */
export async function payloadView(tx: Transaction, { tenantId, personalData }: AnyPrincipal): Promise<PayloadView> {
  const { fundsRecovery: { rawPayload } } = await readSettings(tx, tenantId);
  return rawPayload === 'masked' || personalData === 'masked' ? maskPersonalData : (payload) => payload;
}
