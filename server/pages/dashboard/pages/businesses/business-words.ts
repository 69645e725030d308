/** Words of companies, shared by their pages. An open code without words is shown as it is. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';

interface Names {
  readonly forms: Readonly<Record<Schemas['LegalForm'], string>>;
  readonly requirements: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
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
    requirements: {
      constitutive_document: 'Articles or bylaws',
      registry_active: 'Company is active',
      officers_match: 'Officers match the registry',
      ownership_complete: 'Ownership is complete',
      bo_identified: 'Beneficial owners are identified',
      bo_screened: 'Beneficial owners are screened',
      powers_confirmed: 'Powers are confirmed',
      representatives_verified: 'Representatives are verified',
      account_protection_clear: 'No protection against new accounts',
    },
    reasons: {
      attested_adverse: 'somebody found something against the company',
      document_missing: 'no document was sent',
      not_established: 'nobody has looked yet',
      ownership_incomplete: 'some owners are unknown',
      owners_not_identified: 'the number of an owner is missing or masked',
      no_power_in_force: 'no confirmed power is in force',
      registry_not_active: 'the registry does not regard the company as active',
      differences_open: 'differences from the registry are open',
      owners_not_screened: 'an owner is not screened clear',
      representatives_not_verified: 'an application of a representative is not approved',
      party_sanctioned: 'one of its people is on a sanctions list',
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
    requirements: {
      constitutive_document: 'Contrato ou estatuto social',
      registry_active: 'Empresa ativa',
      officers_match: 'Administradores conferem com o registro',
      ownership_complete: 'Quadro societário completo',
      bo_identified: 'Beneficiários finais identificados',
      bo_screened: 'Beneficiários finais triados',
      powers_confirmed: 'Poderes confirmados',
      representatives_verified: 'Representantes verificados',
      account_protection_clear: 'Sem proteção contra novas contas',
    },
    reasons: {
      attested_adverse: 'alguém encontrou algo contra a empresa',
      document_missing: 'nenhum documento foi enviado',
      not_established: 'ninguém consultou ainda',
      ownership_incomplete: 'há proprietários desconhecidos',
      owners_not_identified: 'o número de um proprietário falta ou está mascarado',
      no_power_in_force: 'nenhum poder confirmado está em vigor',
      registry_not_active: 'o registro não considera a empresa ativa',
      differences_open: 'há divergências do registro em aberto',
      owners_not_screened: 'um proprietário não tem triagem limpa',
      representatives_not_verified: 'a solicitação de um representante não está aprovada',
      party_sanctioned: 'uma das pessoas está em lista de sanções',
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
