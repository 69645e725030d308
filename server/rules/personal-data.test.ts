/** Tests of masking and dropping the personal data in a record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../providers/directory/wire/document.ts';
import { parseXml } from '../providers/directory/wire/parse.ts';
import { dropPersonalData, maskPersonalData } from './personal-data.ts';

type Json = string | readonly Json[] | { readonly [name: string]: Json };

const hidden = [
  'TaxId',
  'TaxIdNumber',
  'Name',
  'Branch',
  'AccountNumber',
  'Email',
  'Phone',
  'ReportDetails',
  'AnalysisDetails',
  'RefundDetails',
  'BlockDetail',
  'Phones',
];
const name = fc.constantFrom(
  ...hidden,
  'Id',
  'Status',
  'taxid',
  'Emailss',
  'ContactInformation',
  'RefundAccount',
  'toString',
);
let count = 0;
/** Unique texts, so that each can be searched for. */
const leaf = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `${text}#${count++}#`);
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

/** Returns every leaf with the names that lead to it. */
function leaves(
  value: Json,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  return Object.entries(value).flatMap(([step, inner]: [string, Json]) => leaves(inner, [...path, step]));
}

const isHidden = ({ path }: { readonly path: readonly string[] }): boolean =>
  path.some((step) => hidden.includes(step));

describe('masking', () => {
  it('hides personal data at any position in documents of the directory', () => {
    expect(
      maskPersonalData({
        FundsRecovery: {
          Id: 'a',
          ReportDetails: 'Ana told us',
          ContactInformation: { Email: 'a@b.example', Phone: '+55' },
        },
        Refunds: [{ RefundAccount: { Participant: '12345678', AccountNumber: '1', TaxIdNumber: '2' } }],
        '@meta': { record: { revision: 4 } },
      }),
    ).toEqual({
      FundsRecovery: { Id: 'a', ReportDetails: '***', ContactInformation: { Email: '***', Phone: '***' } },
      Refunds: [{ RefundAccount: { Participant: '12345678', AccountNumber: '***', TaxIdNumber: '***' } }],
      '@meta': { record: { revision: 4 } },
    });
  });

  it('hides elements that the directory may turn into lists', () => {
    const contact = parseXml(
      '<ContactInformation><Emails><Email>a@b.example</Email><Email>c@d.example</Email></Emails></ContactInformation>',
    );
    expect(maskPersonalData(readDocument(contact))).toEqual({ Emails: ['***', '***'] });
    expect(dropPersonalData(readDocument(contact))).toEqual({});
  });

  it('adds no members', () => {
    expect(maskPersonalData(null)).toBeNull();
  });

  it('leaves no text under those names, and keeps every other text and the structure', () => {
    fc.assert(
      fc.property(json, (document) => {
        const masked = maskPersonalData(document);
        const text = JSON.stringify(masked);
        expect(leaves(masked)).toEqual(
          leaves(document).map((each) => (isHidden(each) ? { ...each, text: '***' } : each)),
        );
        for (const each of leaves(document).filter(isHidden)) expect(text).not.toContain(JSON.stringify(each.text));
      }),
    );
  });

  it('does not change masked documents, nor its argument', () => {
    fc.assert(
      fc.property(json, (document) => {
        const before = JSON.stringify(document);
        const masked = maskPersonalData(document);
        expect(maskPersonalData(masked)).toEqual(masked);
        expect(JSON.stringify(document)).toBe(before);
      }),
    );
  });
});

it('dropping leaves exactly the leaves that masking does not change', () => {
  fc.assert(
    fc.property(json, (document) => {
      const texts = (value: Json) => leaves(value).map(({ text }) => text);
      expect(texts(dropPersonalData(document))).toEqual(
        texts(maskPersonalData(document)).filter((text) => text !== '***'),
      );
    }),
  );
});
