/** Words of what a registry says of a company. Used by registry.tsx and its dialog. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';

interface RegistryNames {
  readonly situations: Readonly<Record<Schemas['RegistrySituation'], string>>;
  readonly fields: Readonly<Record<Schemas['RegistryDifference']['field'], string>>;
  readonly severities: Readonly<Record<Schemas['RegistryDifference']['severity'], string>>;
  readonly resolutions: Readonly<Record<Schemas['RegistryDifferenceResolve']['resolution'], string>>;
}

const names = inLanguages<RegistryNames>({
  en: {
    situations: {
      active: 'Active',
      suspended: 'Suspended',
      unfit: 'Unfit',
      closed: 'Closed',
    },
    fields: {
      situation: 'Situation of the company',
      legal_name: 'Name',
      legal_form: 'Legal form',
      partner_not_declared: 'Partner who is not declared',
      owner_not_registered: 'Owner who is not registered',
      role: 'Role',
    },
    severities: { low: 'Low', medium: 'Medium', high: 'High' },
    resolutions: {
      declared_right: 'What is declared is right',
      registry_right: 'The registry is right',
      explained: 'Both are right',
    },
  },
  pt: {
    situations: {
      active: 'Ativa',
      suspended: 'Suspensa',
      unfit: 'Inapta',
      closed: 'Baixada',
    },
    fields: {
      situation: 'Situação da empresa',
      legal_name: 'Nome',
      legal_form: 'Natureza jurídica',
      partner_not_declared: 'Sócio não declarado',
      owner_not_registered: 'Proprietário não registrado',
      role: 'Cargo',
    },
    severities: { low: 'Baixa', medium: 'Média', high: 'Alta' },
    resolutions: {
      declared_right: 'O declarado está certo',
      registry_right: 'O registro está certo',
      explained: 'Os dois estão certos',
    },
  },
});

export function useRegistryNames(): RegistryNames {
  return useWords(names);
}
