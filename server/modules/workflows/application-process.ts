/**
 * The process by which applications run, if the settings name one: an instance of it begins in the transaction in which
 * an application is submitted. What the key refuses to `startWorkflowInstance`, it refuses to the submission.
 */
import type { Uuid } from '../../base/uuid.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { actorFor, appendStarted } from './actor.ts';
import { beginInstance, startableVersion } from './begin.ts';
import { isRunningAbout } from './instance-store.ts';

export const applicationListener: SubjectListener<'subject.submitted'> = {
  event: 'subject.submitted',
  hear: async (tx, { subject, environment, at, now }) => {
    if (subject.kind !== 'application') return;
    const { workflows } = await readSettings(tx, tx.tenantId!);
    if (workflows.application === null) return;
    const definition = await startableVersion(tx, { environment, key: workflows.application });
    // The answer to a request for information is a submission, too, and its instance waits for it.
    if (await isRunningAbout(tx, definition.id, subject)) return;
    const wanted = {
      applicationId: subject.id as Uuid,
      businessId: null,
      variables: {},
      startedBy: actorFor({ definitionKey: definition.key, definitionNumber: definition.number }),
    };
    appendStarted(tx, await beginInstance(tx, definition, wanted, { at, now }), { at, now });
  },
};
