/**
 * Automatic approval: hears that a check of an application is complete, and has the application examined, because the
 * check may have been the last one that the policy demands.
 *
 * Applications decides if a case is clear, and examines each application when it is submitted. Screenings imports
 * applications, so applications cannot be a listener of screenings (docs/decisions/0096-subject-events.md); this module
 * listens in its place.
 *
 * The module may use applications and subject-events.
 *
 * A screening without hits: screenings publishes `screening.completed`, and the listener queues the task of
 * applications that approves a clear case. The same happens when the risk of an applicant becomes low, and when a
 * verification has passed.
 */
import type { Uuid } from '../../base/uuid.ts';
import type { Module } from '../../tasks/module.ts';
import { considerScreened } from '../applications/index.ts';
import type { SubjectListener } from '../subject-events/index.ts';

export const automaticApprovalModule = {
  name: 'automatic-approval',
  listeners: [
    {
      event: 'screening.completed',
      hear: async (tx, { subject, result, now }) => {
        if (result === 'clear' && subject.kind === 'application') await considerScreened(tx, subject.id as Uuid, now);
      },
    },
    {
      event: 'assessment.changed',
      hear: async (tx, { subject, toLevel, now }) => {
        if (toLevel === 'low' && subject.kind === 'application') await considerScreened(tx, subject.id as Uuid, now);
      },
    },
    {
      event: 'verification.final',
      hear: async (tx, { subject, status, now }) => {
        if (status === 'passed' && subject.kind === 'application') await considerScreened(tx, subject.id as Uuid, now);
      },
    },
  ],
} satisfies Module<never, never, SubjectListener>;
