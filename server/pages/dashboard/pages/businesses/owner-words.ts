/** Words of the owners of a company: kinds of parties, rights of control, sources. Used by edit-owners.tsx. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';

interface OwnerNames {
  readonly kinds: Readonly<Record<Schemas['OwnershipPartyKind'], string>>;
  readonly rights: Readonly<Record<Schemas['OwnershipControlRight'], string>>;
  readonly sources: Readonly<Record<Schemas['OwnershipSource'], string>>;
}

const names = inLanguages<OwnerNames>({
  en: {
    kinds: {
      person: 'Person',
      company: 'Company',
      trust: 'Trust',
      fund: 'Fund',
      government: 'Government',
      listed_company: 'Listed company',
      unknown: 'Unknown',
    },
    rights: {
      majority_appointment: 'Appoints the majority',
      veto: 'Veto',
      shareholders_agreement: "Shareholders' agreement",
      golden_share: 'Golden share',
      usufruct: 'Usufruct',
      trust_control: 'Control of a trust',
    },
    sources: { registry: 'The registry', declared: 'What the company declares', document: 'A document' },
  },
  pt: {
    kinds: {
      person: 'Pessoa',
      company: 'Empresa',
      trust: 'Trust',
      fund: 'Fundo',
      government: 'Ente público',
      listed_company: 'Companhia aberta',
      unknown: 'Desconhecido',
    },
    rights: {
      majority_appointment: 'Nomeia a maioria',
      veto: 'Veto',
      shareholders_agreement: 'Acordo de sócios',
      golden_share: 'Ação de classe especial',
      usufruct: 'Usufruto',
      trust_control: 'Controle de um trust',
    },
    sources: { registry: 'O registro', declared: 'Declaração da empresa', document: 'Um documento' },
  },
});

export function useOwnerNames(): OwnerNames {
  return useWords(names);
}
