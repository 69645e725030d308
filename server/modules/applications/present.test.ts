import { describe, expect, it } from 'vitest';
import { recordApplicant } from './applicant.ts';
import { maskApplicant, maskDocument } from './present.ts';

const applicant = recordApplicant({
  fullName: 'Maria da Silva', socialName: 'Mariana', motherName: 'Ana', dateOfBirth: '1990-04-12', nationality: 'BR',
  taxId: { type: 'cpf', value: '52998224725' }, email: 'maria@example.com', phone: '+5541999990000', occupation: 'Designer',
  address: { line1: 'Rua das Flores', city: 'Curitiba', state: 'PR', postalCode: '80010000', country: 'BR' },
  monthlyIncome: { amount: 1, currency: 'BRL' }, taxResidencies: [{ country: 'PT', tin: '123456789' }], pepDeclaration: { isPep: true },
}, { environment: 'live', today: '2026-11-21' });

describe('masking', () => {
  it('leaves nothing that identifies the person', () => {
    const text = JSON.stringify(maskApplicant(applicant));
    for (const secret of ['Maria', 'Silva', 'Mariana', 'Ana', '1990', '52998224725', 'example.com', '99999', 'Designer', 'Flores', 'Curitiba', '80010000', '123456789', 'isPep']) {
      expect(text).not.toContain(secret);
    }
  });

  it('keeps what tells records apart', () => {
    expect(maskApplicant(applicant)).toMatchObject({ fullName: 'M*** d*** S***', taxId: { value: '***982247**' }, nationality: 'BR', address: { state: 'PR', country: 'BR' } });
    expect(maskApplicant({ ...applicant, taxId: { type: 'other', value: 'A1', country: null } }).taxId?.value).toBe('***');
  });

  it('hides file names but not their kind', () => {
    const document = { fileName: 'maria-passport.JPG' } as Parameters<typeof maskDocument>[0];
    expect(maskDocument(document).fileName).toBe('document.JPG');
  });
});
