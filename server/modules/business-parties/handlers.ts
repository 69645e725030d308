/** Handler that onboards the people of a business. */
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Handlers } from '../../request/handler.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { draftApplication, Quotas } from '../applications/index.ts';
import { assertNotClosed, auditInvalidated, businessLookups as lookup, reviewAgain } from '../businesses/index.ts';
import { latestGraph } from '../ownership/index.ts';
import { applicantOf, partyFaults } from './applicant.ts';
import { insertParty, listPartyApplications } from './store.ts';

export const partyHandlers = (index: BlindIndex): Pick<Handlers, 'createPartyApplications'> => {
  const quotas = new Quotas();
  return {
    createPartyApplications: async (ctx) => {
      const { tx, body, principal } = ctx;
      const business = await lookup(ctx).business(ctx.params.businessId).forChange();
      assertNotClosed(business.status);
      const { id: businessId, environment } = business;
      const { graph } = await latestGraph(tx, businessId);
      const errors = partyFaults(graph, body.parties);
      if (errors.length > 0) throw new Problem('validation_failed', { errors });
      const linked = new Set((await listPartyApplications(tx, businessId)).map(({ partyKey }) => partyKey));
      const at = ctx.timeIn(environment);
      const wanted = body.parties.filter(({ partyKey }) => !linked.has(partyKey));
      for (const { partyKey, fullName } of wanted) {
        const application = await draftApplication(
          {
            tx,
            principal,
            lookups: ctx.lookups,
            environment,
            now: ctx.now,
            timeIn: ctx.timeIn,
          },
          { index, quotas },
          {
            purpose: 'other',
            level: body.level,
            applicant: applicantOf(graph.parties.find(({ key }) => key === partyKey)!, fullName),
          },
        );
        insertParty(tx, {
          id: uuidv7(),
          environment,
          businessId,
          partyKey,
          linkedApplicationId: application.id,
          createdAt: at.toISOString(),
          createdBy: actorOf(principal),
        });
        ctx.audit(
          'application.created',
          { type: 'application', id: application.id },
          { status: application.status, level: application.level, purpose: application.purpose },
        );
      }
      if (wanted.length > 0) {
        ctx.audit('party.application_linked', { type: 'business', id: businessId }, { parties: wanted.length });
        const invalidated = await reviewAgain(ctx, business);
        if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
      }
      return ctx.reply(
        201,
        { items: await listPartyApplications(tx, businessId) },
        {
          Location: `/v1/businesses/${businessId}`,
        },
      );
    },
  };
};
