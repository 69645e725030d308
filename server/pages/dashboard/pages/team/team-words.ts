/** The values of members in words. Used by the files of this folder. */
import { inLanguages } from '../../core/language.ts';
import type { Schemas } from '../../core/api.ts';

/** Returns the name of a member in messages, or the address if there is no name. */
export function calledOf({ name, email }: Pick<Schemas['User'], 'name' | 'email'>): string {
  return name === '' ? email : name;
}

export const teamWords = inLanguages({
  en: {
    statuses: {
      active: 'Active',
      invited: 'Invited',
      locked: 'Locked',
      deactivated: 'Deactivated',
    } satisfies Record<Schemas['UserStatus'], string>,
    meanings: {
      owner: 'Everything but decisions, including other owners and going live',
      admin: 'Team, settings and API keys',
      compliance_officer: 'Applications, cases, decisions and second reviews, their policy and the audit log',
      analyst: 'Applications and cases',
      developer: 'API keys and the sandbox',
      auditor: 'Reads applications, people, settings and the audit log',
      viewer: 'Reads applications',
    } satisfies Record<Schemas['RoleInput'], string>,
    role: 'Role',
    email: 'E-mail',
    name: 'Name',
  },
  pt: {
    statuses: {
      active: 'Ativo',
      invited: 'Convidado',
      locked: 'Bloqueado',
      deactivated: 'Desativado',
    } satisfies Record<Schemas['UserStatus'], string>,
    meanings: {
      owner: 'Tudo menos decisões, inclusive outros proprietários e entrar em produção',
      admin: 'Equipe, configurações e chaves de API',
      compliance_officer: 'Solicitações, casos, decisões e segundas revisões, a sua política e a trilha de auditoria',
      analyst: 'Solicitações e casos',
      developer: 'Chaves de API e o sandbox',
      auditor: 'Lê solicitações, pessoas, configurações e a trilha de auditoria',
      viewer: 'Lê solicitações',
    } satisfies Record<Schemas['RoleInput'], string>,
    role: 'Papel',
    email: 'E-mail',
    name: 'Nome',
  },
});
