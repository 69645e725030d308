/**
 * The settings of a tenant: one document in sections, with defaults that satisfy the law. Only what a tenant has set is
 * stored; `readSettings` merges it into the defaults and is what every other module uses. `screening-profile.ts` has
 * the shipped lines of scores, `replaced-members.ts` keeps former single-number members readable and settable,
 * `settings-rules.ts` has the bounds that a law sets (each with its norm), and `update-settings.ts` decides who may
 * change what: weakening a safeguard takes a person with a second factor.
 *
 * The module may use identity, request, tasks, database and rules, and no other module.
 *
 * `PATCH /v1/settings`: `updateSettings` checks the caller's role for each section, requires `If-Match`, merges the
 * patch (RFC 7396), reports every member that breaks a rule at once, requires the second factor if something is
 * weakened, and stores document and version. The audit event has old and new members, without personal data.
 */
import type { Module } from '../../tasks/module.ts';
import { tenantSettingsHandlers } from './handlers.ts';

export { NARRATIVE_VOCABULARY, SUBMISSION_VOCABULARY } from './report-settings.ts';
export { normOf } from './settings-rules.ts';
export { KINDS_OF_SUBJECT, type ScreeningProfile, SHIPPED_PROFILE, withAlert } from './screening-profile.ts';
export { defaultQueues } from './settings.ts';
export { type DecisionPolicy, readDecisionPolicy, readScreeningRules, readSettings } from './store.ts';
export { COMPARISON_CHANGED, NOTICES_CHANGED } from './update-settings.ts';

export const tenantSettingsModule = {
  name: 'tenant-settings',
  handlers: tenantSettingsHandlers,
} satisfies Module<never>;
