/** Tests of the sheet of those who may sign for a company. */
import { describe, expect, it } from 'vitest';
import type { PowerInstrument, PowersOnFile } from './powers.ts';
import { signatories } from './signatories.ts';

const person = (key: string, roles: readonly string[] = []) => ({
  key,
  roles,
  taxId: null,
  validFrom: null,
  validTo: null,
  identityVerified: true,
  sanctioned: false,
  protectionActive: false,
});
const articles: PowerInstrument = {
  id: 'articles',
  type: 'articles',
  status: 'active',
  registeredOn: '2024-01-15',
  validFrom: '2024-01-15',
  validUntil: null,
  revoked: null,
  supersedes: null,
  grantorInstrumentId: null,
  grantedBy: [],
  grantedOn: null,
  groups: [
    {
      key: 'directors',
      members: [
        { partyKey: 'ana', termFrom: null, termUntil: '2027-01-14' },
        { partyKey: 'bruno', termFrom: null, termUntil: null },
        { partyKey: 'carla', termFrom: null, termUntil: '2025-01-01' },
      ],
    },
  ],
  rules: [
    {
      key: 'two',
      actTypes: ['*'],
      excludeActTypes: [],
      maxAmount: null,
      formula: { atLeast: 2, of: [{ group: 'directors' }, { group: 'directors' }] },
      conditions: [],
      canDelegate: false,
      territory: null,
    },
    {
      key: 'one',
      actTypes: ['*'],
      excludeActTypes: [],
      maxAmount: { amount: 10_000_000, currency: 'BRL' },
      formula: { group: 'directors' },
      conditions: [],
      canDelegate: false,
      territory: null,
    },
  ],
};
const file = (changes: Partial<PowersOnFile> = {}): PowersOnFile => ({
  business: {
    legalForm: 'sa_closed',
    situation: 'active',
    protectionActive: false,
    establishment: { state: null, city: null },
  },
  parties: ['ana', 'bruno', 'carla'].map((key) => person(key)),
  instruments: [articles],
  ...changes,
});
const all = { on: '2026-11-20', type: null, amount: null } as const;
const inShort = (sheet: ReturnType<typeof signatories>) =>
  sheet.rows.map(({ partyKey, rule, alone, with: others, validUntil }) => [
    partyKey,
    rule.key,
    alone,
    others,
    validUntil,
  ]);

describe('the sheet of signatories', () => {
  it('names who signs alone and who with whom, up to the end of their terms', () => {
    expect(inShort(signatories(file(), all))).toEqual([
      ['ana', 'two', false, [['bruno']], '2027-01-14'],
      ['bruno', 'two', false, [['ana']], null],
      ['ana', 'one', true, [], '2027-01-14'],
      ['bruno', 'one', true, [], null],
    ]);
  });

  it('leaves out rules whose limit an amount exceeds, or that do not cover the type of acts', () => {
    const amount = { amount: 10_000_001, currency: 'BRL' };
    expect(new Set(signatories(file(), { ...all, amount }).rows.map(({ rule }) => rule.key))).toEqual(new Set(['two']));
    const narrow = {
      ...articles,
      rules: articles.rules.map((rule) => ({ ...rule, excludeActTypes: ['borrow'] })),
    };
    expect(signatories(file({ instruments: [narrow] }), { ...all, type: 'borrow' }).rows).toEqual([]);
  });

  it('leaves out drafts, revoked and expired powers, and persons on a sanctions list', () => {
    for (const change of [
      { status: 'draft' },
      { validUntil: '2026-11-19' },
      { revoked: { at: '2026-11-20T03:00:00.000Z', on: '2026-11-20' } },
    ] as const)
      expect(signatories(file({ instruments: [{ ...articles, ...change }] }), all).rows).toEqual([]);
    const parties = [person('ana'), { ...person('bruno'), sanctioned: true }];
    expect(inShort(signatories(file({ parties }), all))).toEqual([['ana', 'one', true, [], '2027-01-14']]);
  });

  it('shows each administrator of a limited company alone where nothing is on file', () => {
    const { business } = file();
    const sheet = signatories(
      file({
        business: { ...business, legalForm: 'ltda' },
        parties: [person('ana', ['administrator']), person('bruno')],
        instruments: [],
      }),
      all,
    );
    expect(sheet.rows).toMatchObject([{ partyKey: 'ana', instrumentId: null, alone: true }]);
  });

  it('says if it is cut off', () => {
    const keys = Array.from({ length: 60 }, (_, at) => `p${String(at).padStart(2, '0')}`);
    const members = keys.map((partyKey) => ({ partyKey, termFrom: null, termUntil: null }));
    const many = { ...articles, groups: [{ key: 'directors', members }] };
    const sheet = signatories(file({ parties: keys.map((key) => person(key)), instruments: [many] }), all);
    expect(sheet.isTruncated).toBe(true);
    expect(sheet.rows.length).toBeGreaterThan(0);
  });
});
