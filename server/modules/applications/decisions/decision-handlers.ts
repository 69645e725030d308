/**
 * Handlers of the operations of reviewers (decisions, reviews, waivers, attestations, requests for information), and
 * the audit events that other handlers of this module share. Registered by handlers.ts. Audit events must not contain
 * notes or declarations of the person, because the log cannot be erased.
 */
import { type Handlers, withBodyRules } from '../../../request/handler.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { shown } from '../../../rules/mask.ts';
import { reasonFaults } from '../../../rules/reasons.ts';
import {
  decisionAudits,
  decisionBodyFaults,
  informationBodyFaults,
  presentInformationRequest,
  wireOf,
  type WriterOf,
} from '../../decisions/index.ts';
import { askForInformation } from '../evidence/ask-for-information.ts';
import { attestRequirement } from '../evidence/attestations.ts';
import { waiveRequirement } from '../evidence/waivers.ts';
import { RENEWED } from '../life/renewals.ts';
import { changedStatus } from '../record/application.ts';
import { presentDecision } from '../record/present.ts';
import { decideApplication, type Decided, reviewDecisionOfApplication } from './decide.ts';

export function about({ id }: { readonly id: string }) {
  return { type: 'application', id } as const;
}

const audits = decisionAudits({ kind: 'application', statusChanged: 'application.status_changed', about });

export const { ofDecision, invalidated: auditInvalidated } = audits;

function auditRenewed(
  audit: WriterOf<'application.expired' | 'application.status_changed'>,
  renewedId: string | null,
): void {
  if (renewedId === null) return;
  audit('application.expired', about({ id: renewedId }));
  audit('application.status_changed', about({ id: renewedId }), changedStatus(RENEWED));
}

/** Audits a decision that was made or proposed, and what it changes. */
export function auditDecided(
  audit: WriterOf<'decision.proposed' | 'application.status_changed' | 'application.expired'>,
  { decision, application, renewedId }: Decided,
): void {
  audits.decided(audit, decision, application);
  auditRenewed(audit, renewedId);
}

/** Audits a verdict of a second person about a decision, and what it changes. */
export function auditReviewed(
  audit: WriterOf<'decision.confirmed' | 'decision.returned' | 'application.status_changed' | 'application.expired'>,
  { decision, application, renewedId }: Decided,
  outcome: 'confirmed' | 'returned',
): void {
  audits.reviewed(audit, decision, application, outcome);
  auditRenewed(audit, renewedId);
}

/** Handlers of the operations of reviewers. */
export const decisionHandlers = (index: BlindIndex) =>
  ({
    createInformationRequest: withBodyRules<'createInformationRequest'>(informationBodyFaults, async (ctx) => {
      const { request, application } = await askForInformation(ctx, index, ctx.body);
      const { id, dueAt, items } = request;
      // The texts for and about the applicant are left out, because the log cannot forget personal data.
      ctx.audit(
        'information_request.created',
        { type: 'information_request', id },
        { applicationId: application.id, dueAt, requirements: items.map(({ requirementKey }) => requirementKey) },
      );
      ctx.audit('application.status_changed', about(application), changedStatus(application));
      return ctx.reply(201, presentInformationRequest(request, ctx), {
        Location: `/v1/applications/${application.id}`,
      });
    }),

    recordWaiver: withBodyRules<'recordWaiver'>(
      ({ action, reasonCode }) => reasonFaults('waiver', action, { '/reasonCode': reasonCode }),
      async (ctx) => {
        const {
          params: { applicationId },
        } = ctx;
        const { waiver, invalidated } = await waiveRequirement(ctx);
        const { id, action, requirementKey, reasonCode } = waiver;
        ctx.audit(
          action === 'granted' ? 'requirement.waived' : 'requirement.waiver_revoked',
          { type: 'waiver', id },
          { applicationId, requirementKey, reasonCode },
        );
        if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, applicationId);
        return ctx.reply(201, shown('Waiver', waiver, ctx), { Location: `/v1/applications/${applicationId}` });
      },
    ),

    recordAttestation: async (ctx) => {
      const {
        params: { applicationId },
      } = ctx;
      const { attestation, invalidated } = await attestRequirement(ctx);
      // The outcome is left out, because it is personal data and the log cannot forget it.
      ctx.audit(
        'requirement.attested',
        { type: 'attestation', id: attestation.id },
        { applicationId, requirementKey: attestation.requirementKey },
      );
      if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, applicationId);
      return ctx.reply(201, shown('Attestation', wireOf(attestation), ctx), {
        Location: `/v1/applications/${applicationId}`,
      });
    },

    createDecision: withBodyRules<'createDecision'>(decisionBodyFaults, async (ctx) => {
      const decided = await decideApplication(ctx, index, ctx.body);
      auditDecided(ctx.audit, decided);
      const { decision } = decided;
      return ctx.reply(decision.status === 'pending_review' ? 202 : 200, presentDecision(decision, ctx));
    }),

    reviewDecision: async (ctx) => {
      const reviewed = await reviewDecisionOfApplication(ctx, index, ctx.body);
      const { decision, application, outcome } = reviewed;
      if (outcome === 'stale') {
        auditInvalidated(ctx.audit, decision, application.id);
        throw reviewed.refusal.keeping();
      }
      auditReviewed(ctx.audit, reviewed, outcome);
      return ctx.reply(200, presentDecision(decision, ctx));
    },
  }) satisfies Pick<
    Handlers,
    'createDecision' | 'createInformationRequest' | 'recordAttestation' | 'recordWaiver' | 'reviewDecision'
  >;
