/** Audit events of businesses. Used by all handlers of this module, and by those that decide about a business. */
import { decisionAudits } from '../decisions/index.ts';

export const about = ({ id }: { readonly id: string }) => ({ type: 'business', id }) as const;

export const {
  ofDecision,
  decided: auditDecided,
  reviewed: auditReviewed,
  invalidated: auditInvalidated,
} = decisionAudits({ kind: 'business', statusChanged: 'business.status_changed', about });
