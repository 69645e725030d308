/** Tests of what a branch has of its head office. */
import { describe, expect, it } from 'vitest';
import { evaluateSigning } from '../../powers/evaluate.ts';
import { withHeadOffice } from './inherited.ts';
import { completeInstrument } from './instrument.ts';
import { type OnFile, instrumentsOf } from './on-file.ts';

const party = (key: string, ...roles: string[]): OnFile['parties'][number] => ({
  key,
  roles,
  taxId: null,
  validFrom: null,
  validTo: null,
  identityVerified: true,
  sanctioned: false,
  protectionActive: false,
});
const file = (situation: string | null, keys: readonly string[], powers: OnFile['powers'] = []): OnFile => ({
  ...withParties(
    situation,
    keys.map((key) => party(key)),
  ),
  powers,
});
const withParties = (situation: string | null, parties: OnFile['parties']): OnFile => ({
  business: {
    legalForm: 'ltda',
    situation,
    protectionActive: false,
    establishment: { state: 'SP', city: null },
  },
  parties,
  names: new Map(parties.map(({ key }) => [key, `Name of ${key}`])),
  ownershipVersion: 1,
  powers: [],
});

/** Returns a confirmed power with one rule about every act, which a formula says who may do. */
const power = (id: string, type: 'articles' | 'election_minutes', formula: object): OnFile['powers'][number] =>
  ({
    row: {
      id,
      status: 'active',
      confirmedAt: '2024-01-01T00:00:00Z',
      revokedAt: null,
    },
    instrument: completeInstrument({
      type,
      validFrom: '2024-01-01',
      rules: [
        {
          key: 'r',
          actTypes: ['*'],
          formula,
          clause: null,
        },
      ],
    } as Parameters<typeof completeInstrument>[0]),
  }) as OnFile['powers'][number];

const evaluated = ({ business, parties, powers }: OnFile, ...signers: string[]) =>
  evaluateSigning(
    { business, parties, instruments: instrumentsOf(powers) },
    {
      type: 'borrow',
      amount: null,
      at: '2026-01-15T15:00:00Z',
      on: '2026-01-15',
      counterparty: null,
      conditionsMet: [],
      place: null,
    },
    signers.map((partyKey) => ({ partyKey })),
  );

describe('what is on file about a branch', () => {
  it.each([
    ['active', 'active', 'active'],
    ['active', null, 'active'],
    ['active', 'closed', 'closed'],
    ['closed', 'active', 'closed'],
    ['suspended', 'closed', 'closed'],
    [null, 'closed', 'closed'],
    [null, 'active', null],
  ])('is of a company that is %s, with a head office that is %s: %s', (own, head, expected) => {
    expect(withHeadOffice(file(own, []), file(head, [])).business).toMatchObject({
      situation: expected,
      establishment: { state: 'SP' },
    });
  });

  it('names the parties of the head office by keys that are free and not too long', () => {
    const long = 'x'.repeat(40);
    const instrument = {
      grantedBy: ['ana', 'carla'],
      groups: [{ key: 'g', members: [{ partyKey: 'ana' }, { partyKey: long }] }],
      rules: [{ key: 'r', formula: { all: [{ party: 'ana' }, { any: [{ group: 'g' }, { party: 'carla' }] }] } }],
    };
    const power = { row: {}, instrument } as unknown as OnFile['powers'][number];
    const both = withHeadOffice(file(null, ['ana', 'ana-head', long]), file(null, ['ana', 'carla', long], [power]));
    const renamed = `${'x'.repeat(35)}-head`;
    expect(both.parties.map(({ key }) => key)).toEqual(['ana', 'ana-head', long, 'ana-head2', 'carla', renamed]);
    expect([both.names.get('ana-head2'), both.names.get(renamed)]).toEqual(['Name of ana', `Name of ${long}`]);
    expect(both.powers[0]!.instrument).toEqual({
      grantedBy: ['ana-head2', 'carla'],
      groups: [{ key: 'g', members: [{ partyKey: 'ana-head2' }, { partyKey: renamed }] }],
      rules: [{ key: 'r', formula: { all: [{ party: 'ana-head2' }, { any: [{ group: 'g' }, { party: 'carla' }] }] } }],
    });
  });
});

describe('acts of a branch', () => {
  const articles = power('articles', 'articles', { role: 'director' });
  const head = { ...withParties('active', [party('ana', 'director')]), powers: [articles] };

  it('are signed by the officers of the head office and not by those whom only the branch records', () => {
    const both = withHeadOffice(withParties('active', [party('bruno', 'director')]), head);
    expect([evaluated(both, 'ana').result, evaluated(both, 'bruno').result]).toEqual(['authorized', 'not_authorized']);
  });

  it('are signed by officers whom only the branch records if nobody has recorded those of the head office', () => {
    const both = withHeadOffice(withParties('active', [party('bruno', 'director')]), { ...head, parties: [] });
    expect(evaluated(both, 'bruno').result).toBe('authorized');
  });

  it('count a person without a full CPF twice only if a power of the branch names a person and an officer', () => {
    const john = (...roles: string[]): OnFile['parties'] => [party('john', ...roles)];
    const headOf = (formula: object): OnFile => ({
      ...withParties('active', john('director')),
      powers: [power('articles', 'articles', formula)],
    });
    const own = withParties('active', john('director'));
    const both = { all: [{ party: 'john' }, { role: 'director' }] };
    const ofHead = [both, { atLeast: 2, of: [{ role: 'director' }, { role: 'director' }] }].map(headOf);
    expect(ofHead.map((head) => evaluated(withHeadOffice(own, head), 'john', 'john-head').result)).toEqual([
      'not_authorized',
      'not_authorized',
    ]);
    const mixed = { ...own, powers: [power('ordinance', 'election_minutes', both)] };
    const file = withHeadOffice(mixed, headOf({ party: 'nobody' }));
    expect(evaluated(file, 'john', 'john-head').result).toBe('authorized');
  });

  it('are judged by the law about the legal form of the head office, whatever form is recorded of the branch', () => {
    const silent = { ...articles, instrument: { ...articles.instrument, rules: [] } };
    const headOf = (legalForm: string): OnFile => {
      const known = withParties('active', [party('ana', 'administrator')]);
      return { ...known, business: { ...known.business, legalForm }, powers: [silent] };
    };
    const results = ['sa_closed', 'ltda'].map((legalForm) => {
      const head = headOf(legalForm);
      return [head, withHeadOffice(withParties('active', []), head)].map((file) => evaluated(file, 'ana').result);
    });
    expect(results).toEqual([
      ['not_authorized', 'not_authorized'],
      ['authorized', 'authorized'],
    ]);
  });
});
