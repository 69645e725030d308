/**
 * Words of powers and of signing: acts, roles, conditions, and why somebody may not sign. Used by the parts of the page
 * of a company about powers. Open codes without words are shown as they are.
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

type Open = Readonly<Record<string, string>>;

interface SigningNames {
  readonly acts: Open;
  readonly roles: Readonly<Record<Schemas['OwnershipRole'], string>>;
  readonly conditions: Readonly<Record<Schemas['PowerConditionKind'], string>>;
  readonly results: Readonly<Record<Schemas['SigningResult'], string>>;
  readonly coverages: Readonly<Record<Schemas['SigningCoverage'], string>>;
  readonly reasons: Open;
  /** Joins names: who signs together, and which of several ways there are. */
  readonly and: string;
  readonly or: string;
  readonly anyOf: (group: string) => string;
  readonly someOf: (count: number, names: string) => string;
}

const names = inLanguages<SigningNames>({
  en: {
    acts: {
      '*': 'All acts',
      general_contract: 'Contract in general',
      open_account: 'Opening an account',
      move_funds: 'Moving funds',
      manage_pix_keys: 'Managing Pix keys',
      borrow: 'Borrowing',
      give_guarantee: 'Giving a guarantee',
      issue_credit_note: 'Issuing a credit note',
      fx_contract: 'Foreign exchange contract',
      sell_real_estate: 'Selling real estate',
      sell_assets: 'Selling assets',
      ip_license: 'Licence of intellectual property',
      hire_staff: 'Hiring staff',
      tax_filing: 'Tax filing',
      public_tender: 'Public tender',
      litigation: 'Litigation',
      delegate_powers: 'Delegating powers',
      corporate_resolution: 'Resolution of the company',
    },
    roles: {
      administrator: 'administrator',
      director: 'director',
      president: 'president',
      partner: 'partner',
      attorney: 'attorney',
      board_member: 'member of the board',
      settlor: 'settlor',
      trustee: 'trustee',
      beneficiary: 'beneficiary',
    },
    conditions: {
      prior_resolution: 'prior resolution',
      witness: 'witness',
      notarised: 'notarised',
      spousal_consent: 'consent of the spouse',
    },
    results: { authorized: 'Yes', not_authorized: 'No', indeterminate: 'It depends' },
    coverages: {
      complete: 'Confirmed articles or bylaws are in force.',
      partial: 'No confirmed articles or bylaws are in force, only other powers.',
      none: 'Nothing is known of the powers.',
    },
    reasons: {
      signer_unknown: 'The company has no such person',
      signer_not_in_powers: 'No power names this person',
      signer_identity_unverified: 'The identity of this person is not verified',
      signer_sanctioned: 'This person is on a sanctions list',
      conflict_of_interest: 'This person is on the other side of the act',
      joint_signature_required: 'Somebody else has to sign too',
      distinct_persons_required: 'One person cannot sign for two',
      term_expired: 'The term of office has ended',
      instrument_expired: 'The power has run out',
      instrument_revoked: 'The power is revoked',
      instrument_unconfirmed: 'Nobody has confirmed the power',
      instrument_suspended: 'The power is suspended',
      amount_exceeds_limit: 'The amount is above the limit',
      currency_mismatch: 'The limit is in another currency',
      condition_not_met: 'A condition is not met',
      territory_not_covered: 'The power does not hold at this place',
      act_excluded: 'The power excludes this act',
      act_not_covered: 'No power covers this act',
      delegation_not_permitted: 'The power could not be passed on',
      grantor_lacked_power: 'Who gave the power did not have it',
      delegation_cycle: 'The powers go round in a circle',
      business_not_active: 'The company is not active',
      protection_active: 'The company is protected against new accounts',
    },
    and: ' and ',
    or: ' or ',
    anyOf: (group) => `one of “${group}”`,
    someOf: (count, list) => `${count} of (${list})`,
  },
  pt: {
    acts: {
      '*': 'Todos os atos',
      general_contract: 'Contrato em geral',
      open_account: 'Abertura de conta',
      move_funds: 'Movimentação de recursos',
      manage_pix_keys: 'Gestão de chaves Pix',
      borrow: 'Tomada de crédito',
      give_guarantee: 'Prestação de garantia',
      issue_credit_note: 'Emissão de cédula de crédito',
      fx_contract: 'Contrato de câmbio',
      sell_real_estate: 'Venda de imóvel',
      sell_assets: 'Venda de ativos',
      ip_license: 'Licença de propriedade intelectual',
      hire_staff: 'Contratação de pessoal',
      tax_filing: 'Declaração fiscal',
      public_tender: 'Licitação',
      litigation: 'Processo judicial',
      delegate_powers: 'Delegação de poderes',
      corporate_resolution: 'Deliberação social',
    },
    roles: {
      administrator: 'administrador',
      director: 'diretor',
      president: 'presidente',
      partner: 'sócio',
      attorney: 'procurador',
      board_member: 'conselheiro',
      settlor: 'instituidor',
      trustee: 'trustee',
      beneficiary: 'beneficiário',
    },
    conditions: {
      prior_resolution: 'deliberação prévia',
      witness: 'testemunha',
      notarised: 'firma reconhecida',
      spousal_consent: 'consentimento do cônjuge',
    },
    results: { authorized: 'Sim', not_authorized: 'Não', indeterminate: 'Depende' },
    coverages: {
      complete: 'Há contrato ou estatuto confirmado em vigor.',
      partial: 'Não há contrato nem estatuto confirmado em vigor, só outros poderes.',
      none: 'Nada se sabe dos poderes.',
    },
    reasons: {
      signer_unknown: 'A empresa não tem esta pessoa',
      signer_not_in_powers: 'Nenhum poder menciona esta pessoa',
      signer_identity_unverified: 'A identidade desta pessoa não foi verificada',
      signer_sanctioned: 'Esta pessoa está em lista de sanções',
      conflict_of_interest: 'Esta pessoa está do outro lado do ato',
      joint_signature_required: 'Outra pessoa precisa assinar também',
      distinct_persons_required: 'Uma pessoa não assina por duas',
      term_expired: 'O mandato terminou',
      instrument_expired: 'O poder venceu',
      instrument_revoked: 'O poder foi revogado',
      instrument_unconfirmed: 'Ninguém confirmou o poder',
      instrument_suspended: 'O poder está suspenso',
      amount_exceeds_limit: 'O valor passa do limite',
      currency_mismatch: 'O limite está em outra moeda',
      condition_not_met: 'Uma condição não foi cumprida',
      territory_not_covered: 'O poder não vale neste lugar',
      act_excluded: 'O poder exclui este ato',
      act_not_covered: 'Nenhum poder abrange este ato',
      delegation_not_permitted: 'O poder não podia ser substabelecido',
      grantor_lacked_power: 'Quem deu o poder não o tinha',
      delegation_cycle: 'Os poderes andam em círculo',
      business_not_active: 'A empresa não está ativa',
      protection_active: 'A empresa está protegida contra novas contas',
    },
    and: ' e ',
    or: ' ou ',
    anyOf: (group) => `uma pessoa de “${group}”`,
    someOf: (count, list) => `${count} de (${list})`,
  },
});

export function useSigningNames(): SigningNames {
  return useWords(names);
}

export const RESULT_TONES: Readonly<Record<Schemas['SigningResult'], Tone>> = {
  authorized: 'good',
  not_authorized: 'danger',
  indeterminate: 'warning',
};

/** Says who must sign by a formula. `nameOf` names the person of a key. */
export function sentenceOf(
  formula: Schemas['PowerFormula'],
  t: SigningNames,
  nameOf: (partyKey: string) => string,
): string {
  const said = (one: Schemas['PowerFormula']): string => sentenceOf(one, t, nameOf);
  const within = (one: Schemas['PowerFormula']): string =>
    one.all === undefined && one.any === undefined ? said(one) : `(${said(one)})`;
  const { party, group, role, all, any, atLeast, of } = formula;
  if (party !== undefined) return nameOf(party);
  if (group !== undefined) return t.anyOf(group);
  if (role !== undefined) return t.anyOf(t.roles[role]);
  if (all !== undefined) return all.map(within).join(t.and);
  if (any !== undefined) return any.map(within).join(t.or);
  return t.someOf(atLeast ?? 0, (of ?? []).map(said).join(', '));
}
