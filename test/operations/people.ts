/** Complete applicants for bodies of tests. Used by the table of calls and by tests of applications. */
import { newCpf } from '../support/cpf.ts';
import { unique, type BodyOf } from './call.ts';

type Draft = BodyOf<'createApplication'>;

/** Returns every member of an application except those that only its creation has. */
export const maria = (): Omit<Draft, 'submit'> => ({
  externalId: unique(),
  purpose: 'account_opening',
  level: 'standard',
  channel: 'mobile',
  productCodes: ['pix_account'],
  applicant: {
    fullName: 'Maria da Silva',
    socialName: 'Mariana Silva',
    motherName: 'Ana da Silva',
    dateOfBirth: '1990-04-12',
    nationality: 'BR',
    countryOfBirth: 'PT',
    taxId: { type: 'other', value: unique(), country: 'US' },
    email: 'maria.silva@example.com',
    phone: '+5541999990000',
    address: {
      line1: 'Rua das Flores',
      number: '120',
      line2: 'Apto 4',
      district: 'Centro',
      city: 'Curitiba',
      state: 'PR',
      postalCode: '80010000',
      country: 'BR',
    },
    occupation: 'Designer',
    monthlyIncome: { amount: 850_000, currency: 'BRL' },
    sourceOfFunds: ['salary'],
    pepDeclaration: {
      isPep: true,
      role: 'Mayor',
      relationship: 'self',
      since: '2021-01-01',
      until: '2024-12-31',
    },
    taxResidencies: [{ country: 'PT', tin: '123456789' }],
    residentAbroad: false,
  },
  metadata: { campaign: 'november', rank: 3, vip: true },
});

export const jose = (): Omit<Draft, 'submit'> => ({
  externalId: unique(),
  purpose: 'other',
  level: 'basic',
  channel: 'branch',
  productCodes: ['card', 'loan'],
  applicant: {
    fullName: 'José Pereira',
    socialName: 'Zé Pereira',
    motherName: 'Rita Pereira',
    dateOfBirth: '1985-11-30',
    nationality: 'PT',
    countryOfBirth: 'BR',
    taxId: { type: 'cpf', value: newCpf(), country: 'BR' },
    email: 'jose.pereira@example.com',
    phone: '+351912345678',
    address: {
      line1: 'Avenida Central',
      number: '7',
      line2: 'Casa 2',
      district: 'Norte',
      city: 'Lisboa',
      state: 'Lisboa',
      postalCode: '1000-001',
      country: 'PT',
    },
    occupation: 'Carpenter',
    monthlyIncome: { amount: 120_000, currency: 'EUR' },
    sourceOfFunds: ['business', 'investments'],
    pepDeclaration: {
      isPep: false,
      role: 'Adviser',
      relationship: 'relative',
      since: '2019-02-01',
      until: '2020-03-31',
    },
    taxResidencies: [{ country: 'US', tin: '987-65-4321' }],
    residentAbroad: true,
  },
  metadata: { campaign: 'december', rank: 4, vip: false },
});
