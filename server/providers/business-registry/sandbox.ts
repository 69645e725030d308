/**
 * The registry of the sandbox: each company among the personas has the partners that its description says, and every
 * other company is active under its declared name, without partners. Chosen by index.ts, and never in live.
 */
import { personaFor } from '../personas/index.ts';
import {
  type BusinessRegistryProvider,
  RegistryError,
  type RegistryFinding,
  type RegistryPartner,
} from './provider.ts';

const SINCE = '2019-05-20';

const person = (name: string, middle: string, more: Partial<RegistryPartner> = {}): RegistryPartner => ({
  name,
  kind: 'person',
  taxId: `***${middle}**`,
  country: 'BR',
  role: 'partner',
  capitalPercent: null,
  since: SINCE,
  ...more,
});

const company = (name: string, taxId: string, capitalPercent: number | null): RegistryPartner => ({
  name,
  kind: 'company',
  taxId,
  country: 'BR',
  role: 'partner',
  capitalPercent,
  since: SINCE,
});

const director = (name: string, middle: string, more: Partial<RegistryPartner> = {}) =>
  person(name, middle, { role: 'director', ...more });

/** Partners of the companies among the personas, by key. */
const PARTNERS: Readonly<Record<string, readonly RegistryPartner[]>> = {
  active_company: [
    person('Ana Souza', '982247', { role: 'administrator', capitalPercent: 60 }),
    person('Bruno Lima', '444777', { capitalPercent: 40 }),
  ],
  layered_company: [
    company('Camadas Holding S.A.', '11222333000181', 52),
    director('Davi Prado', '345678'),
    person('Elza Prado', '567890', { capitalPercent: 48 }),
  ],
  cross_holding: [
    company('Espelho Participações Ltda', '11444777000161', 50),
    person('Gil Torres', '234567', { role: 'administrator', capitalPercent: 50 }),
  ],
  closed_company: [person('Ivo Matos', '456789', { role: 'administrator', capitalPercent: 100 })],
  sanctioned_owner: [
    person('Sergei Listado Petrov', '333333', { capitalPercent: 70 }),
    person('Joana Reis', '678901', { role: 'administrator', capitalPercent: 30 }),
  ],
  joint_signature: [
    director('Lia Campos', '789012', { capitalPercent: 50 }),
    director('Nuno Braga', '890123', { capitalPercent: 50 }),
  ],
  expired_mandate: [
    director('Olga Dias', '901234', { capitalPercent: 55 }),
    person('Pedro Dias', '112233', { capitalPercent: 45 }),
  ],
  unknown_shares: [person('Rita Faria', '223344', { role: 'administrator' }), person('Saul Faria', '334455')],
};

function findingOf(legalName: string, partners: readonly RegistryPartner[]): RegistryFinding {
  return {
    situation: 'active',
    legalName,
    legalForm: legalName.endsWith('S.A.') ? 'sa_closed' : null,
    openedOn: SINCE,
    shareCapital: { amount: 10_000_000, currency: 'BRL' },
    state: 'PR',
    city: 'Curitiba',
    // A bakery that also sells what others have baked.
    mainActivity: '1091102',
    furtherActivities: ['4721102'],
    partners: [...partners],
  };
}

export const sandboxRegistry: BusinessRegistryProvider = {
  source: 'sandbox',
  find: async ({ number, legalName }) => {
    const persona = personaFor(number);
    if (persona === null) return Promise.resolve(findingOf(legalName, []));
    if (persona.outcomes.includes('registry_outage')) throw new RegistryError('The registry does not answer');
    const finding = findingOf(persona.name, PARTNERS[persona.key] ?? []);
    return Promise.resolve(
      persona.outcomes.includes('registry_closed') ? { ...finding, situation: 'closed' as const } : finding,
    );
  },
};
