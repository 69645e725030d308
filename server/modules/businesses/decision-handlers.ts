/** Handlers of decisions about businesses and of their reviews, registered by handlers.ts. */
import { type Handlers, withBodyRules } from '../../request/handler.ts';
import { changedStatus, decisionBodyFaults, presentDecision } from '../decisions/index.ts';
import { about, auditInvalidated, ofDecision } from './audit.ts';
import { decideBusiness, reviewDecisionOfBusiness } from './decide.ts';

export const decisionHandlers = {
  createBusinessDecision: withBodyRules<'createBusinessDecision'>(decisionBodyFaults, async (ctx) => {
    const { decision, business } = await decideBusiness(ctx, ctx.body);
    const { rejectType, reasonCodes, policyVersion, status } = decision;
    const [resource, changes] = ofDecision(decision, business);
    ctx.audit('decision.proposed', resource, {
      ...changes,
      status,
      rejectType,
      reasonCodes,
      policyVersion,
    });
    ctx.audit('business.status_changed', about(business), changedStatus(business));
    return ctx.reply(status === 'pending_review' ? 202 : 200, presentDecision(decision, ctx));
  }),

  reviewBusinessDecision: async (ctx) => {
    const reviewed = await reviewDecisionOfBusiness(ctx, ctx.body);
    const { decision, business, outcome } = reviewed;
    if (outcome === 'stale') {
      auditInvalidated(ctx.audit, decision, business.id);
      throw reviewed.refusal.keeping();
    }
    ctx.audit(outcome === 'confirmed' ? 'decision.confirmed' : 'decision.returned', ...ofDecision(decision, business));
    ctx.audit('business.status_changed', about(business), changedStatus(business));
    return ctx.reply(200, presentDecision(decision, ctx));
  },
} satisfies Pick<Handlers, 'createBusinessDecision' | 'reviewBusinessDecision'>;
