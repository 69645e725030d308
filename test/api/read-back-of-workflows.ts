/** Where the bodies of the operations of workflows are read back. A part of the table in read-back-locations.ts. */
import type { OperationId } from '../../server/contract/operation.ts';
import { type Answered, ORDER, type ReadBack } from './read-back.ts';

const workflowTask: ReadBack = {
  get: [({ id }) => `/v1/workflows/tasks/${id as string}`, (body) => body],
  list: ['/v1/workflows/tasks?limit=100', 'id', ({ id }) => id as string],
};

export const readBackOfWorkflows: { readonly [Id in OperationId]?: ReadBack } = {
  createWorkflowDefinition: {
    get: [({ id }) => `/v1/workflows/definitions/${id as string}`, (body) => body],
    writeOnly: { '/file': 'its bytes are what a download answers' },
  },
  updateWorkflowDefinition: {
    get: [({ id }) => `/v1/workflows/definitions/${id as string}`, (body) => body],
    writeOnly: { '/file': 'its bytes are what a download answers' },
  },
  activateWorkflowDefinition: {
    get: [({ id }) => `/v1/workflows/definitions/${id as string}`, (body) => body],
    as: ({ checksum, activation }) => ({ checksum, note: (activation as Answered)['requestNote'] }),
  },
  reviewWorkflowDefinitionActivation: {
    get: [({ id }) => `/v1/workflows/definitions/${id as string}`, (body) => body],
    as: ({ status, activation }) => ({
      verdict: status === 'active' ? 'confirm' : 'return',
      note: (activation as Answered)['reviewNote'],
      evidenceDigest: (activation as Answered)['evidenceDigest'],
    }),
  },
  startWorkflowInstance: {
    get: [({ id }) => `/v1/workflows/instances/${id as string}`, (body) => body],
  },
  deliverWorkflowMessage: {
    get: [
      ({ id }) => `/v1/workflows/instances/${id as string}`,
      ({ businessKey, variables }) => ({
        businessKey,
        variables: { signedOn: (variables as Answered)['signedOn'], pages: (variables as Answered)['pages'] },
      }),
    ],
    writeOnly: { '/name': ORDER, '/correlationKey': ORDER },
  },
  updateWorkflowVariables: {
    get: [
      ({ instanceId }) => `/v1/workflows/instances/${instanceId as string}/variables`,
      ({ variables }) => ({
        variables: {
          channel: (variables as Answered)['channel'],
          amountInCents: (variables as Answered)['amountInCents'],
        },
      }),
    ],
  },
  updateWorkflowTask: workflowTask,
  completeWorkflowTask: {
    get: [
      ({ instanceId }) => `/v1/workflows/instances/${instanceId as string}`,
      ({ variables }) => ({ variables: { approved: (variables as Answered)['approved'] } }),
    ],
  },
};
