/**
 * Threshold of owners: hears that the level of risk of a business is another, and has its beneficial owners judged
 * anew, because the settings may set a lower threshold for some levels.
 *
 * Risk imports ownership, so ownership cannot be a listener of risk (docs/decisions/0096-subject-events.md); this
 * module listens in its place.
 *
 * The module may use ownership and subject-events.
 *
 * A company becomes high risk: risk publishes `assessment.changed`, and the listener has ownership record the next
 * version of the same graph if somebody else is a beneficial owner by the threshold of that level.
 */
import type { Module } from '../../tasks/module.ts';
import { followRisk } from '../ownership/index.ts';
import type { SubjectListener } from '../subject-events/index.ts';

export const ownerThresholdModule = {
  name: 'owner-threshold',
  listeners: [{ event: 'assessment.changed', hear: followRisk }],
} satisfies Module<never, never, SubjectListener<'assessment.changed'>>;
