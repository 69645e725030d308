import type { Persona } from './persona.ts';

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
