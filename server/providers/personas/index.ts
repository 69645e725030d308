/**
 * The personas of the sandbox: invented people and companies whose checks have outcomes that are known in advance, so that an
 * integration can test each outcome. This table is the only source: the sandbox page lists it, applications in the sandbox
 * accept its tax numbers and refuse real ones, and the sandbox adapters of providers answer by it (docs/decisions/0017).
 *
 * It is data and has no tables; it may use the contract's types only. An application for the tax number 222.222.222-22 as an
 * example: `isNeverIssued` accepts the number in the sandbox, and `personaFor` finds the politically exposed person.
 */
import type { components } from '../../contract/generated/types.ts';

/** An invented person or company of the sandbox; what comes out for it is known in advance. */
export type Persona = components['schemas']['SandboxPersona'];

/**
 * Numbers that pass the arithmetic and that nobody holds: one digit eleven times is never issued as a CPF, and the roots
 * of companies begin with a word. Nothing real can have one, so personas do.
 */
export function isNeverIssued(taxId: string): boolean {
  return /^(\d)\1{10}$/.test(taxId) || taxId.startsWith('SANDBOX');
}

const person = (digit: number, key: string, name: string, outcomes: string[], description: string): Persona => ({
  key, kind: 'person', taxId: String(digit).repeat(11), name, outcomes, description,
});

/** Of the personas, these alone are clear cases; whatever is to be found about the others is for a person to decide. */
const APPROVED = 'approved_automatically';

/** One digit eleven times passes the arithmetic of a CPF and is never issued (Receita Federal). */
export const persons: readonly Persona[] = [
  person(1, 'clean', 'Clara Limpa Santos', ['screening_clear', 'risk_low', APPROVED], 'Every check passes and the risk is low: approved without a person, at the level basic, where the policy approves clear cases.'),
  person(2, 'pep', 'Paulo Exposto Lima', ['pep_active'], 'Holds a public office: an active politically exposed person.'),
  person(3, 'sanctioned', 'Sergei Listado Petrov', ['sanctions_match'], 'A true match on the consolidated list of the United Nations.'),
  person(4, 'expired_document', 'Vera Vencida Alves', ['document_expired'], 'The identity document is past its date.'),
  person(5, 'face_mismatch', 'Fabio Trocado Nunes', ['face_mismatch'], 'The face is not the one on the document.'),
  person(6, 'liveness_spoof', 'Livia Mascarada Reis', ['liveness_spoof'], 'The camera sees a picture instead of a living person.'),
  person(7, 'provider_timeout', 'Tito Demorado Costa', ['provider_timeout', 'provider_success'], 'The provider does not answer the first time and succeeds the second.'),
  person(8, 'homonyms', 'Maria da Silva', ['homonym_hits_12'], 'Twelve hits by name, all of them other people.'),
  person(9, 'account_protection', 'Bento Protegido Rocha', ['account_protection_active'], 'Has asked the Central Bank (BC Protege+) that no account be opened.'),
  person(0, 'cancelled_cpf', 'Dario Ausente Melo', ['cpf_cancelled', 'deceased'], 'The registration is cancelled because the holder has died.'),
];

const company = (taxId: string, key: string, name: string, outcomes: string[], description: string): Persona => ({
  key, kind: 'company', taxId, name, outcomes, description,
});

/** Alphanumeric CNPJ (Instrução Normativa RFB 2.229/2024) with right check digits and a root that is not issued. */
export const companies: readonly Persona[] = [
  company('SANDBOX1000170', 'active_company', 'Padaria Exemplo Ltda', ['registry_active', 'partners_2'], 'An active limited company with two partners.'),
  company('SANDBOX2000114', 'layered_company', 'Camadas Participações S.A.', ['registry_active', 'ownership_layers_3', 'beneficial_owner_26_percent'], 'Three layers of owners; the beneficial owner at their end holds 26 %.'),
  company('SANDBOX3000169', 'cross_holding', 'Circular Holding Ltda', ['registry_active', 'ownership_cycle'], 'Two companies that own each other.'),
  company('SANDBOX4000103', 'closed_company', 'Encerrada Comércio Ltda', ['registry_closed'], 'Closed at the registry.'),
  company('SANDBOX5000158', 'sanctioned_owner', 'Oculta Importadora Ltda', ['registry_active', 'beneficial_owner_sanctioned'], 'Its beneficial owner is on a sanctions list.'),
  company('SANDBOX6000100', 'joint_signature', 'Dupla Assinatura S.A.', ['registry_active', 'two_signatures_above_limit'], 'Two directors sign together above R$ 100 000.'),
  company('SANDBOX7000147', 'expired_mandate', 'Mandato Findo S.A.', ['registry_active', 'mandate_expired'], 'The mandate of its directors has run out.'),
  company('SANDBOX8000191', 'registry_outage', 'Registro Mudo Ltda', ['registry_outage'], 'The registry does not answer.'),
  company('SANDBOX9000136', 'unknown_shares', 'Quotas Ocultas Ltda', ['registry_active', 'partners_without_percentages'], 'The registry names the partners without their shares.'),
];

export const personas: readonly Persona[] = [...persons, ...companies];

const byTaxId: ReadonlyMap<string, Persona> = new Map(personas.map((persona) => [persona.taxId, persona]));

/** Whether nothing is to be found about the holder of this number, as far as personas tell. */
export function isClearCase(taxId: string): boolean {
  const persona = personaFor(taxId);
  return persona === null || persona.outcomes.includes(APPROVED);
}

/** The persona with this number, which is written without punctuation and in capitals. */
export function personaFor(taxId: string): Persona | null {
  return byTaxId.get(taxId) ?? null;
}
