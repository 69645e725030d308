/**
 * Handlers of the checklist and of going live, registered by the index of the module. Going live locks the tenant and
 * is refused with the steps that are missing; after the commit the credential cache forgets the tenant, because its
 * sandbox is switched off.
 */
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import type { HandlersOf } from '../../request/handler.ts';
import { checklistOf, readDismissal } from './checklist.ts';
import { type ObservationContext, observe, STEPS } from './observe.ts';
import { dismiss, goLive, lockTenant, restore } from './store.ts';

interface Dependencies {
  readonly credentials: CredentialCache;
}

export const onboardingHandlers = ({ credentials }: Dependencies) =>
  ({
    getOnboardingChecklist: async (ctx) =>
      ctx.reply(200, checklistOf(STEPS, await observe(observationContextOf(ctx)), ctx)),

    dismissChecklistStep: async (ctx) => {
      const {
        tx,
        principal,
        params: { stepKey },
        body,
        now,
        audit,
        reply,
      } = ctx;
      const { tenantId } = principal;
      const step = checklistOf(STEPS, await observe(observationContextOf(ctx)), ctx).steps.find(
        ({ key }) => key === stepKey,
      );
      if (step === undefined) throw new Problem('not_found');
      const { reason } = readDismissal(body);
      if (step.required) throw new Problem('step_required');
      const changed = await (reason === null
        ? tx.count(restore, { tenantId, step: stepKey })
        : tx.count(dismiss, {
            tenantId,
            step: stepKey,
            now,
            by: actorOf(principal),
            reason,
          }));
      const about = { type: 'onboarding_step', id: stepKey } as const;
      if (changed > 0)
        audit(
          reason === null ? 'onboarding.step_restored' : 'onboarding.step_dismissed',
          about,
          reason === null ? {} : { reason },
        );
      const { steps } = checklistOf(STEPS, await observe(observationContextOf(ctx)), ctx);
      return reply(200, steps.find(({ key }) => key === stepKey)!);
    },

    goLive: async (ctx) => {
      const {
        tx,
        principal: { tenantId },
        body,
        now,
        setResourceEnvironment,
        audit,
        afterCommit,
        reply,
      } = ctx;
      // If several requests go live at once, the first succeeds, and the others find the tenant live.
      const [tenant] = await tx.run(lockTenant, { tenantId });
      if (tenant?.status !== 'onboarding') throw new Problem('already_live');
      const { missingRequired } = checklistOf(STEPS, await observe(observationContextOf(ctx)), ctx);
      if (missingRequired.length > 0) throw new Problem('checklist_incomplete', { missingRequired });
      await tx.run(goLive, { tenantId, now });
      setResourceEnvironment('live');
      audit('tenant.went_live', { type: 'tenant', id: tenantId }, { note: body?.note });
      afterCommit(() => credentials.forgetTenant(tenantId));
      const { id, slug, name } = tenant;
      return reply(200, {
        id,
        slug,
        name,
        status: 'active',
      });
    },
  }) satisfies HandlersOf<'onboarding'>;

function observationContextOf({
  tx,
  principal: { tenantId },
  now,
  environment,
  requestId,
}: Omit<ObservationContext, 'tenantId'> & { readonly principal: { readonly tenantId: string } }): ObservationContext {
  return {
    tx,
    tenantId,
    now,
    environment,
    requestId,
  };
}
