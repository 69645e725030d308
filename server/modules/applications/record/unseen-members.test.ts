/** Tests of what a caller who sees persons masked may change. */
import { type Uuid, uuidv7 } from '../../../base/uuid.ts';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../contract/problem.ts';
import { assertSeesWhatIsJudged } from './unseen-members.ts';

const RENEWED = uuidv7();

type Patch = Parameters<typeof assertSeesWhatIsJudged>[1];

function refused(patch: object, renewsApplicationId: Uuid | null = null): readonly (string | undefined)[] {
  try {
    assertSeesWhatIsJudged({ renewsApplicationId }, patch as Patch);
    return [];
  } catch (error) {
    return (error as Problem).members.errors!.map(({ pointer }) => pointer);
  }
}

describe('a patch of a caller who sees persons masked', () => {
  it.each<[object, string[]]>([
    [{ address: { country: 'PT' } }, ['/applicant/address/postalCode']],
    [{ address: { state: null } }, ['/applicant/address/postalCode']],
    [{ taxId: { type: 'cpf' } }, ['/applicant/taxId/value']],
    [{ taxId: { country: 'US' } }, ['/applicant/taxId/value']],
    [{ pepDeclaration: { since: '2023-01-01' } }, ['/applicant/pepDeclaration/until']],
    [{ pepDeclaration: { until: '2023-01-01' } }, ['/applicant/pepDeclaration/since']],
    [
      { address: { country: 'PT' }, taxId: { type: 'cpf' } },
      ['/applicant/taxId/value', '/applicant/address/postalCode'],
    ],
  ])('must contain the masked members that are validated together with %j', (patch, pointers) =>
    expect(refused(patch)).toEqual(pointers),
  );

  it.each([
    {},
    { dateOfBirth: '1990-04-12' },
    { address: null },
    { taxId: null },
    { pepDeclaration: null },
    { address: { line1: 'Rua do Sol' } },
    { address: { postalCode: '80020000' } },
    { address: { country: 'PT', postalCode: null } },
    { pepDeclaration: { isPep: true } },
    { pepDeclaration: { since: '2021-01-01', until: null } },
    { taxId: { type: 'cpf', value: '52998224725', country: 'BR' } },
  ])('may contain %j', (patch) => expect(refused(patch)).toEqual([]));

  it('must not contain the tax number of a renewal', () => {
    expect(refused({ taxId: { type: 'cpf', value: '52998224725', country: 'BR' } }, RENEWED)).toEqual([
      '/applicant/taxId',
    ]);
    expect(refused({ email: 'maria@example.com' }, RENEWED)).toEqual([]);
  });
});
