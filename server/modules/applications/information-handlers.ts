import { type Handlers, withBodyRules } from '../../request/handler.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { changedStatus } from './application.ts';
import { askForInformation, informationBodyFaults } from './ask-for-information.ts';
import { about } from './decision-handlers.ts';
import { presentInformationRequest } from './present.ts';

export const informationHandlers = (index: BlindIndex) => ({
  createInformationRequest: withBodyRules<'createInformationRequest'>(informationBodyFaults, async (ctx) => {
    const { request, application } = await askForInformation(ctx, index, ctx.body);
    const { id, dueAt, items } = request;
    // What was written to people, and about them, is not for the log.
    ctx.audit('information_request.created', { type: 'information_request', id }, { applicationId: application.id, dueAt, requirements: items.map(({ requirementKey }) => requirementKey) });
    ctx.audit('application.status_changed', about(application), changedStatus(application));
    return ctx.reply(201, presentInformationRequest(request, ctx), { Location: `/v1/applications/${application.id}` });
  }),
} satisfies Pick<Handlers, 'createInformationRequest'>);
