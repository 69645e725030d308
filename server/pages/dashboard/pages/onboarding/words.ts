/**
 * The words of the checklist. Used by the page and its dialogs. A step that is unknown here is shown in the service's
 * words.
 */
import { inLanguages } from '../../core/language.ts';

interface OnboardingWords {
  readonly title: string;
  readonly lead: string;
  readonly live: (tenant: string) => string;
  readonly liveLead: string;
  readonly progress: (settled: number, all: number) => string;
  readonly progressLabel: string;
  readonly missing: (count: number) => string;
  readonly next: string;
  readonly goLive: string;
  readonly goLiveTitle: (tenant: string) => string;
  readonly goLiveText: string;
  readonly irreversible: string;
  readonly note: string;
  readonly noteHint: string;
  readonly isLive: (tenant: string) => string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly required: string;
  readonly optional: string;
  readonly since: string;
  readonly application: string;
  readonly event: string;
  readonly fellBack: string;
  readonly first: (titles: string) => string;
  readonly putAside: string;
  readonly putAsideTitle: (title: string) => string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly enterReason: string;
  readonly isPutAside: (title: string) => string;
  readonly takeUp: string;
  readonly takeUpTitle: (title: string) => string;
  readonly takeUpText: string;
  readonly isOpenAgain: (title: string) => string;
  readonly ask: string;
  readonly steps: Readonly<Record<string, string>>;
}

/** Words of the checklist. Titles of steps unknown to this page are shown as the service sends them. */
export const words = inLanguages<OnboardingWords>({
  en: {
    title: 'Go live',
    lead:
      'Each step is computed from what is really there; nothing is ticked by hand. Until you go live, everything ' +
      'happens in the sandbox.',
    live: (tenant) => `${tenant} is live`,
    liveLead: 'The checklist stays: it shows when a step falls back.',
    progress: (settled, all) => `${settled} of ${all} steps`,
    progressLabel: 'Progress',
    missing: (count) =>
      count === 1
        ? 'One required step is missing before you can go live.'
        : `${count} required steps are missing before you can go live.`,
    next: 'Next step',
    goLive: 'Go live',
    goLiveTitle: (tenant) => `Go live with ${tenant}?`,
    goLiveText: 'Sandbox mode goes off, and what is created from then on is real. Sandbox records stay in the sandbox.',
    irreversible: 'This cannot be taken back: a tenant that is live does not return to onboarding.',
    note: 'Note',
    noteHint: 'For the audit log.',
    isLive: (tenant) => `${tenant} is live.`,
    statuses: {
      done: 'Done',
      todo: 'To do',
      blocked: 'Waits',
      dismissed: 'Put aside',
    },
    required: 'Required',
    optional: 'Optional',
    since: 'Done since',
    application: 'The application',
    event: 'The record in the audit log',
    fellBack: 'It was done, and fell back',
    first: (titles) => `First: ${titles}.`,
    putAside: 'Put aside',
    putAsideTitle: (title) => `Put “${title}” aside?`,
    reason: 'Reason',
    reasonHint: 'At least ten characters, for the audit log.',
    enterReason: 'Enter the reason.',
    isPutAside: (title) => `“${title}” is put aside.`,
    takeUp: 'Take up again',
    takeUpTitle: (title) => `Take “${title}” up again?`,
    takeUpText: 'It counts among the open steps again.',
    isOpenAgain: (title) => `“${title}” is open again.`,
    ask: 'Somebody with another role has to do this.',
    steps: {},
  },
  pt: {
    title: 'Entrar em produção',
    lead:
      'Cada etapa é calculada a partir do que existe de fato; nada é marcado à mão. Até entrar em produção, tudo ' +
      'acontece no sandbox.',
    live: (tenant) => `${tenant} está em produção`,
    liveLead: 'A lista continua: ela mostra quando uma etapa volta atrás.',
    progress: (settled, all) => `${settled} de ${all} etapas`,
    progressLabel: 'Progresso',
    missing: (count) =>
      count === 1
        ? 'Falta uma etapa obrigatória para entrar em produção.'
        : `Faltam ${count} etapas obrigatórias para entrar em produção.`,
    next: 'Próxima etapa',
    goLive: 'Entrar em produção',
    goLiveTitle: (tenant) => `Entrar em produção com ${tenant}?`,
    goLiveText:
      'O modo sandbox é desligado, e o que for criado a partir daí é real. Os registros do sandbox ficam no sandbox.',
    irreversible: 'Isto não pode ser desfeito: um inquilino em produção não volta à preparação.',
    note: 'Observação',
    noteHint: 'Para a trilha de auditoria.',
    isLive: (tenant) => `${tenant} está em produção.`,
    statuses: {
      done: 'Feita',
      todo: 'A fazer',
      blocked: 'Espera',
      dismissed: 'Deixada de lado',
    },
    required: 'Obrigatória',
    optional: 'Opcional',
    since: 'Feita desde',
    application: 'A solicitação',
    event: 'O registro na trilha de auditoria',
    fellBack: 'Estava feita e voltou atrás',
    first: (titles) => `Antes: ${titles}.`,
    putAside: 'Deixar de lado',
    putAsideTitle: (title) => `Deixar “${title}” de lado?`,
    reason: 'Motivo',
    reasonHint: 'Pelo menos dez caracteres, para a trilha de auditoria.',
    enterReason: 'Digite o motivo.',
    isPutAside: (title) => `“${title}” foi deixada de lado.`,
    takeUp: 'Retomar',
    takeUpTitle: (title) => `Retomar “${title}”?`,
    takeUpText: 'Ela volta a contar entre as etapas abertas.',
    isOpenAgain: (title) => `“${title}” está aberta de novo.`,
    ask: 'Alguém com outro papel precisa fazer isto.',
    steps: {
      owner_mfa: 'Proteger um proprietário com um segundo fator',
      second_person: 'Ter um oficial de compliance além de outra pessoa',
      branding: 'Nome e cor que os solicitantes veem',
      decision_policy_reviewed: 'Deixar um oficial de compliance definir a política de decisão',
      retention_policy: 'Definir por quanto tempo os registros são guardados',
      security_policy: 'Definir como as pessoas entram',
      api_key_created: 'Criar uma chave de API de produção',
      api_key_restricted: 'Dar a cada chave de produção uma lista de endereços ou uma validade',
      sandbox_application: 'Enviar uma solicitação no sandbox',
      sandbox_happy_path: 'Consultar e aprovar uma solicitação no sandbox',
      sandbox_negative_path: 'Rejeitar uma solicitação no sandbox e pedir informações sobre uma',
      sandbox_powers_path: 'Confirmar um poder de uma empresa no sandbox e perguntar quem pode assinar',
      screening_lists_fresh: 'Ter atualizadas as listas de vigilância que a lei exige',
      audit_verified: 'Verificar a trilha de auditoria',
      go_live: 'Entrar em produção',
    },
  },
});
