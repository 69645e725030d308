/**
 * The personas of the sandbox: invented people and companies whose checks have outcomes that are known in advance, so
 * that an integration can test each outcome. This table is the only source: the sandbox page lists it, applications in
 * the sandbox accept its tax numbers and refuse real ones, and the sandbox adapters of providers answer by it
 * (docs/decisions/0017).
 *
 * It is data and has no tables; it may use the contract's types only. An application for the tax number 222.222.222-22
 * as an example: `isNeverIssued` accepts the number in the sandbox, and `personaFor` finds the politically exposed
 * person.
 */
import type { components } from '../../contract/generated/types.ts';

/** An invented person or company of the sandbox with outcomes that are known in advance. */
export type Persona = components['schemas']['SandboxPersona'];

/**
 * Returns whether a number has valid check digits but is never issued: a CPF of one digit eleven times, or a company
 * whose root begins with a word. No real person or company can have one, so personas do.
 */
export function isNeverIssued(taxId: string): boolean {
  return /^(\d)\1{10}$/.test(taxId) || taxId.startsWith('SANDBOX');
}

/** Outcome of the personas that are clear cases. Findings about all others are left to a reviewer. */
const APPROVED = 'approved_automatically';
const PEOPLE = 'left_to_people';

type Known = Pick<Persona, 'name' | 'outcomes' | 'description'> & { readonly dateOfBirth?: string };

function person(digit: number, key: string, { dateOfBirth = '1990-01-15', ...known }: Known): Persona {
  const taxId = String(digit).repeat(11);
  return {
    key,
    kind: 'person',
    taxId,
    dateOfBirth,
    applicant: { fullName: known.name, dateOfBirth, taxId: { type: 'cpf', value: taxId } },
    outcomesToCome: [],
    ...known,
  };
}

/** Describes a persona that no list has and that a verification finds something about. */
const verified = (name: string, found: string[], description: string): Known => ({
  name,
  outcomes: ['screening_clear', PEOPLE, 'risk_low', ...found],
  description,
});

/**
 * People whose number is one digit eleven times, which passes the check digits of a CPF and is never issued (Receita
 * Federal). Their list entries are on the sandbox lists (server/modules/watch-lists/shipped-lists.ts).
 */
export const persons: readonly Persona[] = [
  person(1, 'clean', {
    name: 'Clara Limpa Santos',
    outcomes: ['screening_clear', APPROVED, 'risk_low'],
    description:
      'On no list: the screening is clear. Approved without a person with that screening, at low risk, where the ' +
      'policy approves clear cases (decisionPolicy.autoApprove).',
  }),
  person(2, 'pep', {
    name: 'Paulo Exposto Lima',
    outcomes: ['pep_active', PEOPLE, 'risk_high', 'approved_by_two'],
    description:
      'Holds a public office: an open hit on the list of politically exposed persons, with the digits of the tax ' +
      'number that it shows. Once a person confirms it, the risk is high and two people decide.',
  }),
  person(3, 'sanctioned', {
    name: 'Sergei Listado Petrov',
    dateOfBirth: '1961-04-02',
    outcomes: ['sanctions_match', PEOPLE, 'risk_prohibited', 'approval_refused'],
    description:
      'A true match on the list of the United Nations, with the date of birth given here. Once a person confirms ' +
      'it, the risk is prohibited and nobody can approve.',
  }),
  person(
    4,
    'expired_document',
    verified('Vera Vencida Alves', ['document_expired'], 'The identity document is past its date.'),
  ),
  person(
    5,
    'face_mismatch',
    verified('Fabio Trocado Nunes', ['face_mismatch'], 'The face is not the one on the document.'),
  ),
  person(
    6,
    'liveness_spoof',
    verified('Livia Mascarada Reis', ['liveness_spoof'], 'The camera sees a picture instead of a living person.'),
  ),
  person(
    7,
    'provider_timeout',
    verified(
      'Tito Demorado Costa',
      ['provider_timeout', 'provider_success'],
      'The provider does not answer the first time and succeeds the second.',
    ),
  ),
  person(8, 'homonyms', {
    name: 'Maria da Silva',
    outcomes: ['homonym_hits_12', PEOPLE, 'risk_low', 'cleared_by_decisions'],
    description:
      'Twelve open hits by name, all of them people who were born in other years. Once each is decided to be ' +
      'somebody else, the screening is cleared.',
  }),
  person(
    9,
    'account_protection',
    verified(
      'Bento Protegido Rocha',
      ['account_protection_active'],
      'Has asked the Central Bank (BC Protege+) that no account be opened.',
    ),
  ),
  person(
    0,
    'cancelled_cpf',
    verified(
      'Dario Ausente Melo',
      ['cpf_cancelled', 'deceased'],
      'The registration is cancelled because the holder has died.',
    ),
  ),
];

type KnownCompany = Pick<Persona, 'name' | 'outcomes' | 'description'>;

const company = (taxId: string, key: string, { name, outcomes, description }: KnownCompany): Persona => ({
  key,
  kind: 'company',
  taxId,
  dateOfBirth: null,
  applicant: null,
  name,
  outcomes,
  outcomesToCome: [],
  description,
});

/**
 * Companies with an alphanumeric CNPJ (Instrução Normativa RFB 2.229/2024) with valid check digits and a root that is
 * not issued.
 */
export const companies: readonly Persona[] = [
  company('SANDBOX1000170', 'active_company', {
    name: 'Padaria Exemplo Ltda',
    outcomes: ['registry_active', 'partners_2'],
    description: 'An active limited company with two partners.',
  }),
  company('SANDBOX2000114', 'layered_company', {
    name: 'Camadas Participações S.A.',
    outcomes: ['registry_active', 'ownership_layers_3', 'beneficial_owner_26_percent'],
    description:
      'Three layers of owners, of which the registry names the first. Declare that Camadas Holding S.A. belongs by ' +
      '50 % to Base Participações Ltda, and that one to Davi Prado alone: at the end he holds 26 %.',
  }),
  company('SANDBOX3000169', 'cross_holding', {
    name: 'Circular Holding Ltda',
    outcomes: ['registry_active', 'ownership_cycle'],
    description:
      'Two companies that own each other. Declare that half of Espelho Participações Ltda belongs to it, and half to ' +
      'Gil Torres, who then owns everything.',
  }),
  company('SANDBOX4000103', 'closed_company', {
    name: 'Encerrada Comércio Ltda',
    outcomes: ['registry_closed'],
    description: 'Closed at the registry.',
  }),
  company('SANDBOX5000158', 'sanctioned_owner', {
    name: 'Oculta Importadora Ltda',
    outcomes: ['registry_active', 'beneficial_owner_sanctioned'],
    description:
      'Its beneficial owner is on a sanctions list. Onboard and screen him as a person of the company: once a person ' +
      'confirms the hit, nobody can approve the company.',
  }),
  company('SANDBOX6000100', 'joint_signature', {
    name: 'Dupla Assinatura S.A.',
    outcomes: ['registry_active', 'two_signatures_above_limit'],
    description: 'By its articles each director signs alone up to R$ 100 000, and two sign together above that.',
  }),
  company('SANDBOX7000147', 'expired_mandate', {
    name: 'Mandato Findo S.A.',
    outcomes: ['registry_active', 'mandate_expired'],
    description: 'By its minutes the mandate of its director ended with the year 2025, so nobody may sign.',
  }),
  company('SANDBOX8000191', 'registry_outage', {
    name: 'Registro Mudo Ltda',
    outcomes: ['registry_outage'],
    description: 'The registry does not answer.',
  }),
  company('SANDBOX9000136', 'unknown_shares', {
    name: 'Quotas Ocultas Ltda',
    outcomes: ['registry_active', 'partners_without_percentages'],
    description: 'The registry names the partners without their shares.',
  }),
];

export const personas: readonly Persona[] = [...persons, ...companies];

const byTaxId: ReadonlyMap<string, Persona> = new Map(personas.map((persona) => [persona.taxId, persona]));

/** Returns whether no persona with findings has this number. */
export function isClearCase(taxId: string): boolean {
  const persona = personaFor(taxId);
  return persona === null || persona.outcomes.includes(APPROVED);
}

/** Returns the persona with this number, which is written without punctuation and in capitals. */
export function personaFor(taxId: string): Persona | null {
  return byTaxId.get(taxId) ?? null;
}
