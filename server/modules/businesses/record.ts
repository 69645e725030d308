/**
 * The steps of the life of a business and what names it as a subject, without input or output. Used by all files of
 * this module. Transitions follow from the contract (`x-state-transitions`).
 */
import { operations } from '../../contract/generated/operations.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Subject } from '../../rules/subject.ts';
import { lifecycleOf } from '../decisions/index.ts';

/** Returns a business as the subject of evidence and decisions. */
export function subjectOf({ id }: { readonly id: string }): Subject {
  return { kind: 'business', id };
}

/**
 * Rejects new documents, owners and powers of a business that is rejected, withdrawn or expired. Those of a customer
 * change as the company does.
 */
export function assertNotClosed(status: components['schemas']['ApplicationStatus']): void {
  if (status === 'rejected' || status === 'withdrawn' || status === 'expired') throw new Problem('business_closed');
}

export const life = lifecycleOf(() => ({
  submit: operations.submitBusiness.transitions,
  ask: operations.createBusinessInformationRequest.transitions,
  decide: operations.createBusinessDecision.transitions,
  review: operations.reviewBusinessDecision.transitions,
  reopen: operations.reopenBusiness.transitions,
  endRelationship: operations.endBusinessRelationship.transitions,
  withdraw: operations.withdrawBusiness.transitions,
}));
