/** Calls of the operations on workflows for the tables over all operations. */
import { type Calls, unique } from './call.ts';
import { newApplication } from './application-records.ts';
import {
  newActivation,
  newActiveProcess,
  newDraft,
  newProcessKey,
  newSuspendedInstance,
  newWaitingInstance,
  newWorkflowTask,
  processFile,
} from './workflow-records.ts';

/** Calls about processes, their instances and their tasks. */
export const workflowCalls: Calls<
  | 'createWorkflowDefinition'
  | 'listWorkflowDefinitions'
  | 'getWorkflowDefinition'
  | 'downloadWorkflowDefinitionXml'
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
  | 'sendWorkflowMessage'
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
  sendWorkflowMessage: {
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
