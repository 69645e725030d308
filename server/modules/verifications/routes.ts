/**
 * Who runs a type of verification, by the settings of the tenant. Used when a verification is started and when it runs.
 */
import type { Transaction } from '../../database/index.ts';
import type { Route, VerificationType } from '../../providers/verification/index.ts';
import { readSettings } from '../tenant-settings/index.ts';

/** Returns who runs a type of verification, the first one first. */
export async function routeOf(tx: Transaction, type: VerificationType): Promise<Route> {
  const { documentOcr, faceMatch, liveness, registry } = (await readSettings(tx, tx.tenantId!)).providers;
  const routes: Readonly<Record<VerificationType, Route>> = {
    document_ocr: [documentOcr.primary, documentOcr.fallback],
    face_match: [faceMatch.primary, faceMatch.fallback],
    liveness: [liveness.primary, liveness.fallback],
    registry: [registry.primary],
  };
  return routes[type];
}
