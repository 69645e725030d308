/** Turns rows of workflows into what the contract promises. */
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { variablesSeenBy } from '../../workflow/kernel/state.ts';
import { type Activation, activationDigest, type Definition, lastActivation } from '../definitions/index.ts';
import { findReview } from '../second-review/index.ts';
import type { Batch } from './batch-store.ts';
import type { HistoryEntry } from './history-store.ts';
import type { Incident } from './incident-store.ts';
import type { ListedInstance } from './instance-list-store.ts';
import type { Instance } from './instance-store.ts';
import type { Job } from './job-store.ts';
import { findingsOf } from './model-store.ts';
import type { WorkflowTask } from './task-store.ts';
import { hasCommands } from './waiting-store.ts';

type Schemas = components['schemas'];

/** Content of a definition: what two people agree on. The file and the compiled process are in its model. */
export interface DefinitionDocument {
  readonly name: string | null;
  readonly fileSha256: string;
  readonly jobTypes: readonly string[];
}

export const documentOf = ({ document }: Definition): DefinitionDocument => document as unknown as DefinitionDocument;

export function presentDefinitionInList(definition: Definition): Schemas['WorkflowDefinitionSummary'] {
  const { id, environment, key, number, status, checksum, createdBy, createdAt, activatedAt, retiredAt } = definition;
  const kind = definition.kind === 'decision_table' ? 'decision_table' : 'workflow';
  const { name } = documentOf(definition);
  return {
    id,
    environment,
    kind,
    key,
    number,
    name,
    status,
    checksum,
    createdBy,
    createdAt,
    activatedAt,
    retiredAt,
  };
}

export async function presentDefinition(
  tx: Transaction,
  definition: Definition,
): Promise<Schemas['WorkflowDefinition']> {
  const { fileSha256, jobTypes } = documentOf(definition);
  const [findings, activation] = await Promise.all([findingsOf(tx, definition.id), presentActivation(tx, definition)]);
  return {
    ...presentDefinitionInList(definition),
    fileSha256,
    jobTypes: [...jobTypes],
    findings: findings.map(({ severity, code, elementId, message }) => ({
      severity,
      code,
      elementId,
      message,
    })),
    activation,
    updatedAt: definition.updatedAt,
    version: definition.version,
  };
}

/** Evidence of a request for activation. */
export interface ActivationEvidence {
  readonly errors: number;
  readonly warnings: number;
  readonly note: string | null;
}

export const noteOf = ({ evidence }: Activation): string | null => (evidence as unknown as ActivationEvidence).note;

async function presentActivation(tx: Transaction, { id }: Definition): Promise<Schemas['WorkflowActivation'] | null> {
  const activation = await lastActivation(tx, id);
  if (activation === null) return null;
  const review = (await findReview(tx, { type: 'activation', id: activation.id }))!;
  const { state, maker, checker, note, createdAt, closedAt } = review;
  return {
    id: activation.id,
    status: state,
    evidenceDigest: activationDigest(activation.checksum, activation.evidence),
    requestNote: noteOf(activation),
    requestedBy: maker,
    requestedAt: createdAt,
    reviewedBy: checker,
    reviewNote: note,
    reviewedAt: closedAt,
  };
}

export function presentInstanceInList(instance: ListedInstance): Schemas['WorkflowInstanceSummary'] {
  const { id, environment, definitionId, definitionKey, definitionNumber, businessKey, applicationId, businessId } =
    instance;
  const { status, endEvent, incidentCount, startedBy, startedAt, endedAt } = instance;
  return {
    id,
    environment,
    definitionId,
    definitionKey,
    definitionNumber,
    businessKey,
    applicationId,
    businessId,
    status,
    endEvent,
    incidentCount,
    startedBy,
    startedAt,
    endedAt,
  };
}

export async function presentInstance(tx: Transaction, instance: Instance): Promise<Schemas['WorkflowInstance']> {
  const executions = instance.state?.executions ?? [];
  return {
    ...presentInstanceInList(instance),
    parentInstanceId: instance.parentInstanceId,
    isBusy: await hasCommands(tx, instance.id),
    variables: { ...instance.variables },
    activeElements: executions
      .filter(({ scope }) => scope !== 0)
      .map(({ node, id, waits, incident }) => ({
        elementId: node,
        execution: id,
        waitsFor: waits,
        incident: incident === undefined ? null : { code: incident.code, message: incident.message },
      })),
    version: instance.version,
  };
}

export async function presentVariables(
  tx: Transaction,
  { id: instanceId, environment, variables, version }: Instance,
): Promise<Schemas['WorkflowVariablesOfInstance']> {
  const isBusy = await hasCommands(tx, instanceId);
  return {
    instanceId,
    environment,
    isBusy,
    variables: { ...variables },
    version,
  };
}

export function presentIncident({
  applicationId: _,
  businessId: __,
  execution: ___,
  updatedAt: ____,
  ...incident
}: Incident): Schemas['WorkflowIncident'] {
  return incident;
}

export function presentTask({
  applicationId: _,
  businessId: __,
  execution: ___,
  ...task
}: WorkflowTask): Schemas['WorkflowTask'] {
  return task;
}

export function presentHistoryEntry({ happenedAt, ...entry }: HistoryEntry): Schemas['WorkflowHistoryEntry'] {
  return { ...entry, at: happenedAt };
}

export function presentBatch({
  mappings: _,
  lastInstanceId: __,
  untilInstanceId: ___,
  ...batch
}: Batch): Schemas['WorkflowBatch'] {
  return batch;
}

export function presentJob({
  applicationId: _,
  businessId: __,
  execution: ___,
  performer: ____,
  retries: _____,
  availableAt: ______,
  ...job
}: Job): Schemas['WorkflowJob'] {
  return job;
}

/** Shows work to the worker that has locked it, with the variables that it sees. */
export function presentActivatedJob(
  { id, environment, instanceId, applicationId, businessId, execution, definitionKey, elementId, type, ...job }: Job,
  { businessKey, state, variables }: Instance,
): Schemas['WorkflowActivatedJob'] {
  const executions = new Map((state?.executions ?? []).map((one) => [one.id, one]));
  return {
    id,
    idempotencyKey: `${instanceId}:${execution}`,
    environment,
    instanceId,
    businessKey,
    applicationId,
    businessId,
    definitionKey,
    elementId,
    type,
    attempts: job.attempts,
    retriesLeft: job.retriesLeft,
    lockedUntil: job.lockedUntil!,
    variables: { ...variablesSeenBy(execution, (one) => executions.get(one), variables) },
  };
}
