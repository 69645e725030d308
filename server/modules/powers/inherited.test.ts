/** Tests of what a branch has of its head office. */
import { describe, expect, it } from 'vitest';
import { withHeadOffice } from './inherited.ts';
import type { OnFile } from './on-file.ts';

const party = (key: string): OnFile['parties'][number] => ({
  key,
  roles: [],
  taxId: null,
  validFrom: null,
  validTo: null,
  identityVerified: true,
  sanctioned: false,
  protectionActive: false,
});
const file = (situation: string | null, keys: readonly string[], powers: OnFile['powers'] = []): OnFile => ({
  business: {
    legalForm: 'ltda',
    situation,
    protectionActive: false,
    establishment: { state: 'SP', city: null },
  },
  parties: keys.map(party),
  names: new Map(keys.map((key) => [key, `Name of ${key}`])),
  ownershipVersion: 1,
  powers,
});

describe('what is on file about a branch', () => {
  it.each([
    ['active', 'active', 'active'],
    ['active', null, 'active'],
    ['active', 'closed', 'closed'],
    ['closed', 'active', 'closed'],
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
