/** Calls of the operations on workflows for the tables over all operations. */
import { type Calls, unique } from './call.ts';
import { newApplication } from './application-records.ts';
import {
  newActivation,
  newActiveProcess,
  newDraft,
  newOutdatedInstance,
  newProcessKey,
  newSuspendedInstance,
  newWaitingInstance,
  newWork,
  newWorkflowTask,
  processFile,
  REVIEWED_TWICE,
  WORKER,
} from './workflow-records.ts';

/** Calls about processes, their instances and their tasks. */
export const workflowCalls: Calls<
  | 'createWorkflowDefinition'
  | 'listWorkflowDefinitions'
  | 'getWorkflowDefinition'
  | 'updateWorkflowDefinition'
  | 'downloadWorkflowDefinitionXml'
  | 'downloadWorkflowDefinitionDiagram'
  | 'activateWorkflowDefinition'
  | 'reviewWorkflowDefinitionActivation'
  | 'retireWorkflowDefinition'
  | 'startWorkflowInstance'
  | 'listWorkflowInstances'
  | 'getWorkflowInstance'
  | 'cancelWorkflowInstance'
  | 'suspendWorkflowInstance'
  | 'resumeWorkflowInstance'
  | 'getWorkflowVariables'
  | 'updateWorkflowVariables'
  | 'listWorkflowHistory'
  | 'downloadWorkflowInstanceDiagram'
  | 'modifyWorkflowInstance'
  | 'migrateWorkflowInstance'
  | 'activateWorkflowJobs'
  | 'reportWorkflowJob'
  | 'createWorkflowBatch'
  | 'getWorkflowBatch'
  | 'deliverWorkflowMessage'
  | 'listWorkflowIncidents'
  | 'resolveWorkflowIncident'
  | 'listWorkflowTasks'
  | 'getWorkflowTask'
  | 'updateWorkflowTask'
  | 'completeWorkflowTask'
> = {
  createWorkflowDefinition: {
    arrange: () => Promise.resolve({ body: { file: processFile('onboarding') } }),
    body: () => ({}),
    otherBody: () => ({ file: processFile(newProcessKey()) }),
  },
  listWorkflowDefinitions: {},
  getWorkflowDefinition: {},
  downloadWorkflowDefinitionXml: {},
  downloadWorkflowDefinitionDiagram: {},
  activateWorkflowDefinition: {
    arrange: async (service, tenant) => {
      const { workflowDefinitionId, checksum } = await newDraft(service, tenant);
      return { params: { workflowDefinitionId }, body: { checksum } };
    },
    body: () => ({ note: 'The review has two steps now.' }),
    otherBody: () => ({ note: 'The review has\none step again.' }),
  },
  reviewWorkflowDefinitionActivation: {
    arrange: async (service, tenant) => {
      const { workflowDefinitionId, activationId, evidenceDigest } = await newActivation(service, tenant);
      return { params: { workflowDefinitionId, activationId }, body: { evidenceDigest } };
    },
    body: () => ({ verdict: 'confirm', note: 'The process is as agreed.' }),
    otherBody: () => ({ verdict: 'return', note: 'The second step is missing.' }),
  },
  updateWorkflowDefinition: {
    arrange: async (service, tenant) => {
      const key = 'revised';
      const { workflowDefinitionId } = await newDraft(service, tenant, { key });
      return { params: { workflowDefinitionId }, body: { file: processFile(key, REVIEWED_TWICE) } };
    },
    body: () => ({ name: 'Onboarding in two steps' }),
    otherBody: () => ({ name: 'Onboarding of a person' }),
  },
  retireWorkflowDefinition: {},
  startWorkflowInstance: {
    arrange: async (service, tenant) => ({
      body: {
        definitionKey: await newActiveProcess(service, tenant),
        businessKey: unique(),
        applicationId: await newApplication(service, tenant),
      },
    }),
    body: () => ({ variables: { channel: 'branch', amountInCents: 250_000, isExpress: true } }),
    otherBody: () => ({ variables: { channel: 'web', amountInCents: 10, isExpress: false } }),
    except: { '/businessId': 'an instance about an application is about no business' },
  },
  listWorkflowInstances: {},
  getWorkflowInstance: {},
  cancelWorkflowInstance: {
    body: () => ({ note: 'It was started by mistake.' }),
    otherBody: () => ({ note: 'The applicant has\nwithdrawn.' }),
  },
  suspendWorkflowInstance: {
    body: () => ({ note: 'We wait for the answer of the bank.' }),
    otherBody: () => ({ note: 'The applicant is\nabroad until May.' }),
  },
  resumeWorkflowInstance: {
    arrange: async (service, tenant) => ({
      params: { workflowInstanceId: await newSuspendedInstance(service, tenant) },
    }),
  },
  getWorkflowVariables: {},
  updateWorkflowVariables: {
    body: () => ({ variables: { channel: 'web', amountInCents: 300_000 } }),
    otherBody: () => ({ variables: { channel: 'app', amountInCents: 10 } }),
  },
  listWorkflowHistory: {},
  downloadWorkflowInstanceDiagram: {},
  modifyWorkflowInstance: {
    body: () => ({ end: [2], begin: ['review'], note: 'The applicant has sent another document.' }),
    otherBody: () => ({ end: [], begin: ['e'], note: 'The review is\nnot needed.' }),
  },
  migrateWorkflowInstance: {
    arrange: async (service, tenant) => {
      const { workflowInstanceId, definitionId } = await newOutdatedInstance(service, tenant, REVIEWED_TWICE);
      return { params: { workflowInstanceId }, body: { definitionId } };
    },
    body: () => ({ mappings: [{ from: 'review', to: 'first_review' }], dryRun: false, note: 'The version is better.' }),
    otherBody: () => ({ mappings: [{ from: 's', to: 'e' }], dryRun: true, note: 'Would it\nbe possible?' }),
  },
  activateWorkflowJobs: {
    arrange: async (service, tenant) => ({ body: { types: [await newWork(service, tenant)] } }),
    body: () => ({
      worker: WORKER,
      maximum: 1,
      lockSeconds: 60,
      waitSeconds: 0,
    }),
    otherBody: () => ({
      worker: 'scorer-2',
      maximum: 2,
      lockSeconds: 120,
      waitSeconds: 1,
    }),
  },
  reportWorkflowJob: {
    arrange: () => Promise.resolve({ body: { worker: WORKER } }),
    body: () => ({ outcome: 'error', errorCode: 'LOW_SCORE', variables: { score: 12 } }),
    otherBody: () => ({ outcome: 'error', errorCode: 'NO_ANSWER', variables: { score: 0 } }),
    except: {
      '/outcome': 'completed takes no code, and failed no variables',
      '/message': 'only a failure has one',
      '/retriesLeft': 'only a failure has some',
      '/retryAfterSeconds': 'only a failure is tried again',
    },
  },
  createWorkflowBatch: {
    arrange: async (service, tenant) => {
      const { definitionId, definitionKey } = await newOutdatedInstance(service, tenant, REVIEWED_TWICE);
      // One batch runs at a time.
      await service.running.runTasks();
      return { body: { filter: { definitionKey, definitionNumber: 1, hasIncident: false }, definitionId } };
    },
    body: () => ({
      action: 'migrate',
      mappings: [{ from: 'review', to: 'first_review' }],
      note: 'The next version is better.',
    }),
    otherBody: () => ({ action: 'migrate', mappings: [{ from: 's', to: 'e' }], note: 'The next version\nis as good.' }),
    except: { '/action': 'the others take no version' },
  },
  getWorkflowBatch: {},
  deliverWorkflowMessage: {
    arrange: async (service, tenant) => ({ body: await newWaitingInstance(service, tenant) }),
    body: () => ({ variables: { signedOn: '2026-11-26', pages: 12 } }),
    otherBody: () => ({ variables: { signedOn: '2026-11-27', pages: 3 } }),
  },
  listWorkflowIncidents: {},
  resolveWorkflowIncident: {
    body: () => ({ note: 'The channel has been set.' }),
    otherBody: () => ({ note: 'The condition\nis right again.' }),
  },
  listWorkflowTasks: {},
  getWorkflowTask: {},
  updateWorkflowTask: {
    arrange: async (service, tenant) => {
      const { id, as } = await tenant.person('compliance_officer');
      return { as, params: { workflowTaskId: await newWorkflowTask(service, tenant) }, body: { assigneeId: id } };
    },
    body: () => ({}),
    otherBody: () => ({}),
  },
  completeWorkflowTask: {
    body: () => ({ variables: { approved: true } }),
    otherBody: () => ({ variables: { approved: false } }),
  },
};
