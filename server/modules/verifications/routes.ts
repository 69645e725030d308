/** Who runs a type of verification, by the settings of the tenant. Used when a verification is started and when it runs. */
import type { Transaction } from '../../database/index.ts';
import type { Route, VerificationType } from '../../providers/verification/index.ts';
import { readSettings } from '../tenant-settings/index.ts';

/** Returns who runs a type of verification. */
export async function routeOf(tx: Transaction, type: VerificationType): Promise<Route> {
  const { documentOcr, faceMatch, liveness, registry } = (await readSettings(tx, tx.tenantId!)).providers;
  return { document_ocr: documentOcr, face_match: faceMatch, liveness, registry }[type];
}
