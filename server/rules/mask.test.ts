/** Tests of masking single values. */
import { uuidIn } from '../base/uuid.ts';
import { describe, expect, it } from 'vitest';
import { shown } from './mask.ts';

const reader = { principal: { personalData: 'masked' } } as const;

const applicant: Parameters<typeof shown<'Applicant'>>[1] = {
  fullName: 'Maria da Silva',
  socialName: 'Mariana',
  motherName: 'Ana',
  dateOfBirth: '1990-04-12',
  nationality: 'BR',
  countryOfBirth: 'PT',
  taxId: { type: 'cpf', value: '52998224725', country: 'BR' },
  email: 'maria@example.com',
  phone: '+5541999990000',
  occupation: 'Designer',
  address: {
    line1: 'Rua das Flores',
    number: '12',
    line2: null,
    district: 'Centro',
    city: 'Curitiba',
    state: 'PR',
    postalCode: '80010000',
    country: 'BR',
  },
  monthlyIncome: { amount: 987_654, currency: 'BRL' },
  sourceOfFunds: ['salary'],
  taxResidencies: [{ country: 'PT', tin: '123456789' }],
  pepDeclaration: { isPep: true },
  residentAbroad: false,
};

describe('masking', () => {
  it('leaves no value that identifies the person', () => {
    const text = JSON.stringify(shown('Applicant', applicant, reader));
    for (const secret of [
      'Maria',
      'Silva',
      'Mariana',
      'Ana',
      '1990',
      '52998224725',
      'example.com',
      '99999',
      'Designer',
      'Flores',
      '12"',
      'Centro',
      'Curitiba',
      '80010000',
      '987654',
      '123456789',
      'isPep',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('keeps values that distinguish records', () => {
    expect(shown('Applicant', applicant, reader)).toEqual({
      fullName: 'M*** d*** S***',
      socialName: null,
      motherName: null,
      dateOfBirth: null,
      nationality: 'BR',
      countryOfBirth: null,
      taxId: { type: 'cpf', value: '***982247**', country: 'BR' },
      email: null,
      phone: null,
      address: {
        line1: '***',
        number: null,
        line2: null,
        district: null,
        city: '***',
        state: 'PR',
        postalCode: null,
        country: 'BR',
      },
      occupation: null,
      monthlyIncome: null,
      sourceOfFunds: ['salary'],
      pepDeclaration: null,
      taxResidencies: [],
      residentAbroad: false,
    });
    expect(
      shown('Applicant', { ...applicant, taxId: { type: 'other', value: 'A1', country: null } }, reader).taxId?.value,
    ).toBe('***');
  });

  it('masks nested records and every entry of a list, and distinguishes missing from hidden values', () => {
    const item = {
      requirementKey: 'id_document',
      reasonCode: 'unreadable',
      messageToApplicant: 'Dear Maria',
      documentType: null,
    };
    const request: Parameters<typeof shown<'InformationRequest'>>[1] = {
      id: uuidIn('0197f2c9-4d10-7b55-8e21-1c2d3e4f5a60'),
      status: 'open',
      items: [item, item],
      internalNote: null,
      dueAt: '2026-11-21T12:00:00.000Z',
      createdBy: { type: 'system', id: 'system', display: 'System' },
      createdAt: '2026-11-21T12:00:00.000Z',
      answeredAt: null,
    };
    const hidden = { ...item, messageToApplicant: '***' };
    expect(shown('InformationRequest', request, reader)).toEqual({ ...request, items: [hidden, hidden] });
    expect(shown('InformationRequest', { ...request, internalNote: 'Maria called' }, reader).internalNote).toBe('***');
  });

  it('omits members for which any value would reveal something', () => {
    const decision = {
      outcome: 'approve',
      note: 'Dear Maria',
      evidenceDigest: `sha256:${'0'.repeat(64)}`,
    } as Parameters<typeof shown<'Decision'>>[1];
    expect(shown('Decision', decision, reader)).toEqual({ outcome: 'approve', note: '***' });
  });

  it('hides file names but not their kind', () => {
    const document = { fileName: 'maria-passport.JPG' } as Parameters<typeof shown<'Document'>>[1];
    expect(shown('Document', document, reader).fileName).toBe('document.JPG');
  });

  it('returns the record itself to callers who may see it', () => {
    expect(shown('Applicant', applicant, { principal: { personalData: 'full' } })).toBe(applicant);
  });
});
