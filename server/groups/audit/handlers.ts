import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';

function pending(): never {
  throw new Error('being written');
}

export const audit = (_services: Services) => ({
  listAuditEvents: pending,
  getAuditEvent: pending,
  getAuditProof: pending,
  verifyAuditLog: pending,
  listAuditCheckpoints: pending,
} satisfies HandlersOf<'audit'>);
