import type { Schemas } from '../../core/api.ts';
import { inLanguages } from '../../core/language.ts';

export type WorkItem = Schemas['WorkItem'];
export type WorkKind = Schemas['WorkKindFilter'];

export const KINDS = [
  'case',
  'alert',
  'hit',
  'decision',
  'resolution',
  'activation',
  'workflow_task',
] as const satisfies readonly WorkKind[];

export const workWords = inLanguages({
  en: {
    lead: 'Everything that waits for you, the first due first.',
    kind: 'Kind',
    any: 'Any',
    caption: 'My work',
    what: 'What',
    about: 'About',
    due: 'Due',
    since: 'Since',
    late: 'late',
    noDate: 'No date',
    nothing: 'Nothing waits for you',
    quiet: 'Take the next case of a queue, or look at the open cases.',
    cases: 'All cases',
    kinds: {
      case: 'Case',
      alert: 'Alert',
      hit: 'Hit',
      decision: 'Decision to review',
      resolution: 'Resolution to review',
      activation: 'Activation to review',
      workflow_task: 'Task of a workflow',
    } satisfies Record<WorkKind, string>,
    definitions: {
      risk_model: 'Risk model',
      reference_list: 'Reference list',
      workflow: 'Process',
      decision_table: 'Decision table',
    },
  },
  pt: {
    lead: 'Tudo o que espera por você, o que vence primeiro antes.',
    kind: 'Tipo',
    any: 'Qualquer',
    caption: 'Meu trabalho',
    what: 'O quê',
    about: 'Sobre',
    due: 'Prazo',
    since: 'Desde',
    late: 'atrasado',
    noDate: 'Sem prazo',
    nothing: 'Nada espera por você',
    quiet: 'Pegue o próximo caso de uma fila, ou veja os casos abertos.',
    cases: 'Todos os casos',
    kinds: {
      case: 'Caso',
      alert: 'Alerta',
      hit: 'Ocorrência',
      decision: 'Decisão a revisar',
      resolution: 'Conclusão a revisar',
      activation: 'Ativação a revisar',
      workflow_task: 'Tarefa de um fluxo',
    } satisfies Record<WorkKind, string>,
    definitions: {
      risk_model: 'Modelo de risco',
      reference_list: 'Lista de referência',
      workflow: 'Processo',
      decision_table: 'Tabela de decisão',
    },
  },
});
