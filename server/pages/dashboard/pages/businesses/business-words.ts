/** Words of companies, shared by their pages. An open code without words is shown as it is. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';

interface Names {
  readonly forms: Readonly<Record<Schemas['LegalForm'], string>>;
  readonly powerTypes: Readonly<Record<string, string>>;
  readonly powerStatuses: Readonly<Record<string, string>>;
  readonly verdicts: Readonly<Record<string, string>>;
}

const names = inLanguages<Names>({
  en: {
    forms: {
      mei: 'Individual micro-entrepreneur (MEI)',
      ei: 'Individual entrepreneur',
      slu: 'Limited company of one member',
      ltda: 'Limited company',
      sa_closed: 'Closed corporation',
      sa_open: 'Listed corporation',
      cooperative: 'Cooperative',
      association: 'Association',
      foundation: 'Foundation',
      partnership: 'Partnership',
      fund: 'Fund',
      government: 'Government',
      foreign: 'Foreign company',
      other: 'Other',
    },
    powerTypes: {
      articles: 'Articles',
      bylaws: 'Bylaws',
      election_minutes: 'Election minutes',
      board_resolution: 'Board resolution',
      power_of_attorney: 'Power of attorney',
      court_order: 'Court order',
      statutory_default: 'Rule of the law',
    },
    powerStatuses: {
      draft: 'Draft',
      active: 'Confirmed',
      expired: 'Expired',
      revoked: 'Revoked',
      superseded: 'Superseded',
    },
    verdicts: { yes: 'Beneficial owner', possible: 'Possibly a beneficial owner', no: 'No beneficial owner' },
  },
  pt: {
    forms: {
      mei: 'Microempreendedor individual (MEI)',
      ei: 'Empresário individual',
      slu: 'Sociedade limitada unipessoal',
      ltda: 'Sociedade limitada',
      sa_closed: 'S.A. fechada',
      sa_open: 'S.A. aberta',
      cooperative: 'Cooperativa',
      association: 'Associação',
      foundation: 'Fundação',
      partnership: 'Sociedade simples',
      fund: 'Fundo',
      government: 'Ente público',
      foreign: 'Empresa estrangeira',
      other: 'Outra',
    },
    powerTypes: {
      articles: 'Contrato social',
      bylaws: 'Estatuto social',
      election_minutes: 'Ata de eleição',
      board_resolution: 'Deliberação do conselho',
      power_of_attorney: 'Procuração',
      court_order: 'Decisão judicial',
      statutory_default: 'Regra da lei',
    },
    powerStatuses: {
      draft: 'Rascunho',
      active: 'Confirmado',
      expired: 'Vencido',
      revoked: 'Revogado',
      superseded: 'Substituído',
    },
    verdicts: {
      yes: 'Beneficiário final',
      possible: 'Possivelmente beneficiário final',
      no: 'Não é beneficiário final',
    },
  },
});

export function useBusinessNames(): Names {
  return useWords(names);
}
