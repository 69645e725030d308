/** Types and words of keys, for all files of this folder. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

export type ApiKey = Schemas['ApiKey'];
export type Scope = Schemas['ScopeInput'];

/** Scopes in the order in which they are offered. */
export const SCOPES: readonly Scope[] = ['read', 'write', 'admin', 'kyb', 'screening'];

export const STATUS_TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  rotating: 'info',
  expired: 'neutral',
  revoked: 'neutral',
};

const words = inLanguages({
  en: {
    environments: { live: 'Live', test: 'Test' } satisfies Record<ApiKey['environment'], string>,
    statuses: {
      active: 'Active',
      rotating: 'Rotating',
      expired: 'Expired',
      revoked: 'Revoked',
    } satisfies Record<ApiKey['status'], string>,
    scopes: {
      read: 'Read applications and documents, recoveries and their feed, settings, team and audit log.',
      write: 'Create, change, submit and withdraw applications, and upload documents.',
      admin: 'Everything that the other scopes allow, and team, settings, keys and sandbox.',
      kyb: 'Companies: record and change them.',
      screening: 'Screenings against watch lists: run and read them.',
    } satisfies Record<Scope, string>,
  },
  pt: {
    environments: { live: 'Produção', test: 'Teste' } satisfies Record<ApiKey['environment'], string>,
    statuses: {
      active: 'Ativa',
      rotating: 'Em rotação',
      expired: 'Expirada',
      revoked: 'Revogada',
    } satisfies Record<ApiKey['status'], string>,
    scopes: {
      read: 'Ler solicitações e documentos, recuperações e seu feed, configurações, equipe e trilha de auditoria.',
      write: 'Criar, alterar, enviar e retirar solicitações, e anexar documentos.',
      admin: 'Tudo o que os outros escopos permitem, e também equipe, configurações, chaves e sandbox.',
      kyb: 'Empresas: registrar e alterar.',
      screening: 'Consultas a listas restritivas: fazer e ler.',
    } satisfies Record<Scope, string>,
  },
});

/** Returns the names of keys and scopes for every part of the page. */
export function useKeyWords() {
  return useWords(words);
}
