/** The names of the roles in words. Used by the pages that show or choose a role. */
import { inLanguages, useWords } from './language.ts';

const words = inLanguages<Readonly<Record<string, string>>>({
  en: {
    owner: 'Owner',
    admin: 'Administrator',
    compliance_officer: 'Compliance officer',
    analyst: 'Analyst',
    developer: 'Developer',
    auditor: 'Auditor',
    viewer: 'Viewer',
    platform_admin: 'Platform administrator',
  },
  pt: {
    owner: 'Proprietário',
    admin: 'Administrador',
    compliance_officer: 'Oficial de compliance',
    analyst: 'Analista',
    developer: 'Desenvolvedor',
    auditor: 'Auditor',
    viewer: 'Leitor',
    platform_admin: 'Administrador da plataforma',
  },
});

/** Returns the name of a role. A role unknown to this page is shown as in the contract. */
export function useRoleName(): (role: string) => string {
  const names = useWords(words);
  return (role) => names[role] ?? role;
}
