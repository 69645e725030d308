/** Handlers of decisions about businesses and of their reviews, registered by handlers.ts. */
import { type Handlers, withBodyRules } from '../../request/handler.ts';
import { decisionBodyFaults, presentDecision } from '../decisions/index.ts';
import { auditDecided, auditInvalidated, auditReviewed } from './audit.ts';
import { decideBusiness, reviewDecisionOfBusiness } from './decide.ts';

export const decisionHandlers = {
  createBusinessDecision: withBodyRules<'createBusinessDecision'>(decisionBodyFaults, async (ctx) => {
    const decided = await decideBusiness(ctx, ctx.body);
    const { decision, business } = decided;
    auditDecided(ctx.audit, decision, business);
    return ctx.reply(decision.status === 'pending_review' ? 202 : 200, presentDecision(decision, ctx));
  }),

  reviewBusinessDecision: async (ctx) => {
    const reviewed = await reviewDecisionOfBusiness(ctx, ctx.body);
    const { decision, business, outcome } = reviewed;
    if (outcome === 'stale') {
      auditInvalidated(ctx.audit, decision, business.id);
      throw reviewed.refusal.keeping();
    }
    auditReviewed(ctx.audit, decision, business, outcome);
    return ctx.reply(200, presentDecision(decision, ctx));
  },
} satisfies Pick<Handlers, 'createBusinessDecision' | 'reviewBusinessDecision'>;
