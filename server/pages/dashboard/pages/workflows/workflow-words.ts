/**
 * Names of what processes, instances and tasks can be, for all pages of workflows, and what is read again after a
 * change.
 */
import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Definition = Schemas['WorkflowDefinition'];
export type Instance = Schemas['WorkflowInstance'];
export type Task = Schemas['WorkflowTask'];
export type Incident = Schemas['WorkflowIncident'];

interface WorkflowNames {
  readonly kinds: Readonly<Record<Definition['kind'], string>>;
  readonly definitionStatuses: Readonly<Record<Definition['status'], string>>;
  readonly statuses: Readonly<Record<Instance['status'], string>>;
  readonly taskStatuses: Readonly<Record<Task['status'], string>>;
  readonly incidentStatuses: Readonly<Record<Incident['status'], string>>;
  readonly events: Readonly<Record<Schemas['WorkflowHistoryEvent'], string>>;
}

const names = inLanguages<WorkflowNames>({
  en: {
    kinds: { workflow: 'Process', decision_table: 'Decision table' },
    definitionStatuses: {
      draft: 'Draft',
      pending_activation: 'Waits for a second person',
      active: 'Active',
      retired: 'Retired',
    },
    statuses: {
      active: 'Under way',
      suspended: 'Suspended',
      completed: 'Completed',
      cancelled: 'Cancelled',
      erased: 'Erased',
    },
    taskStatuses: {
      created: 'Open',
      claimed: 'Claimed',
      completed: 'Completed',
      cancelled: 'Not needed',
    },
    incidentStatuses: { open: 'Open', resolved: 'Resolved', cancelled: 'Gone' },
    events: {
      entered: 'begun',
      completed: 'completed',
      cancelled: 'ended early',
      fired: 'happened',
      incident: 'stopped',
      resolved: 'goes on',
      moved: 'moved by hand',
    },
  },
  pt: {
    kinds: { workflow: 'Processo', decision_table: 'Tabela de decisão' },
    definitionStatuses: {
      draft: 'Rascunho',
      pending_activation: 'Aguarda outra pessoa',
      active: 'Em vigor',
      retired: 'Retirado',
    },
    statuses: {
      active: 'Em andamento',
      suspended: 'Suspenso',
      completed: 'Concluído',
      cancelled: 'Cancelado',
      erased: 'Apagado',
    },
    taskStatuses: {
      created: 'Aberta',
      claimed: 'Assumida',
      completed: 'Concluída',
      cancelled: 'Desnecessária',
    },
    incidentStatuses: { open: 'Aberto', resolved: 'Resolvido', cancelled: 'Encerrado' },
    events: {
      entered: 'começou',
      completed: 'terminou',
      cancelled: 'terminou antes',
      fired: 'aconteceu',
      incident: 'parou',
      resolved: 'continua',
      moved: 'movido à mão',
    },
  },
});

export function useWorkflowNames(): WorkflowNames {
  return useWords(names);
}

export const DEFINITION_TONES: Readonly<Record<Definition['status'], Tone>> = {
  draft: 'neutral',
  pending_activation: 'warning',
  active: 'good',
  retired: 'neutral',
};

export const INSTANCE_TONES: Readonly<Record<Instance['status'], Tone>> = {
  active: 'info',
  suspended: 'warning',
  completed: 'good',
  cancelled: 'neutral',
  erased: 'neutral',
};

const ID = { params: { path: { workflowDefinitionId: '', workflowInstanceId: '' } } };

/** The first parts of the keys of all queries about workflows; what they begin with is any record of that kind. */
const ABOUT = [
  api.queryOptions('get', '/v1/workflows/definitions').queryKey,
  api.queryOptions('get', '/v1/workflows/definitions/{workflowDefinitionId}', ID).queryKey,
  api.queryOptions('get', '/v1/workflows/instances').queryKey,
  api.queryOptions('get', '/v1/workflows/instances/{workflowInstanceId}', ID).queryKey,
  api.queryOptions('get', '/v1/workflows/instances/{workflowInstanceId}/history', ID).queryKey,
  api.queryOptions('get', '/v1/workflows/tasks').queryKey,
  api.queryOptions('get', '/v1/workflows/incidents').queryKey,
  api.queryOptions('get', '/v1/work').queryKey,
].map(([method, path]) => [method, path]);

/** Returns a function that reads everything about workflows again that a page shows, after a change. */
export function useWorkflowsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const keys = [...ABOUT, ['workflow-drawing']];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}
