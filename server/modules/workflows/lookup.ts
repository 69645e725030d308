/** Lookups by which handlers of workflows find definitions, instances and tasks that the caller may see. */
import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { businessLookups } from '../businesses/index.ts';
import { type Definition, findDefinition } from '../definitions/index.ts';
import { type Batch, findBatch } from './batch-store.ts';
import { findIncident, type Incident, lockIncident } from './incident-store.ts';
import { findInstance, type Instance, lockInstance } from './instance-store.ts';
import { findJob, type Job, lockJob } from './job-store.ts';
import { findWorkflowTask, lockWorkflowTask, type WorkflowTask } from './task-store.ts';

/** Finds the records that the operations of workflows name. */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),
  ...businessLookups(access),

  /** Version of a process or a decision table. Whoever changes it locks it by the module definitions. */
  definition: (id: string) =>
    lookupOf(access, {
      find: async () => {
        const found = await findDefinition(access.tx, id);
        return found?.kind === 'workflow' || found?.kind === 'decision_table' ? found : null;
      },
      unerased: (definition: Definition): Definition => definition,
    }),

  /** Instance, which after an erasure remains as a record that it ran. */
  instance: (id: string) => {
    const unerased = <I extends Instance>(instance: I): I => instance;
    return {
      ...lookupOf(access, { find: () => findInstance(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockInstance(access.tx, id), unerased }),
    };
  },

  batch: (id: string) =>
    lookupOf(access, { find: () => findBatch(access.tx, id), unerased: (batch: Batch): Batch => batch }),

  incident: (id: string) => {
    const unerased = (incident: Incident): Incident => incident;
    return {
      ...lookupOf(access, { find: () => findIncident(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockIncident(access.tx, id), unerased }),
    };
  },

  job: (id: string) => {
    const unerased = (job: Job): Job => job;
    return {
      ...lookupOf(access, { find: () => findJob(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockJob(access.tx, id), unerased }),
    };
  },

  task: (id: string) => {
    const unerased = (task: WorkflowTask): WorkflowTask => task;
    return {
      ...lookupOf(access, { find: () => findWorkflowTask(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockWorkflowTask(access.tx, id), unerased }),
    };
  },
});
