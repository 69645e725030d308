import { masks } from '../../contract/generated/masks.ts';
import type { components } from '../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ApplicationRecord } from './application.ts';

type Patch = components['schemas']['ApplicantUpdate'];

/** What a rule judges together, by the member of the applicant that holds it, and which of that readers do not see who see persons masked. */
const JUDGED_TOGETHER = {
  taxId: { judged: ['type', 'country', 'value'], unseen: () => Object.keys(masks.RecordedTaxId) },
  address: { judged: ['country', 'state', 'postalCode'], unseen: () => Object.keys(masks.RecordedAddress) },
  pepDeclaration: { judged: ['since', 'until'], unseen: () => ['since', 'until'] },
} as const satisfies Partial<Record<keyof Patch, object>>;

/**
 * Rejects a patch of somebody who sees persons masked if members that they do not see would decide whether it is refused: by trying, they could find those
 * out. What is judged together is sent together, and a renewal keeps the tax number of the person.
 */
export function assertSeesWhatIsJudged({ renewsApplicationId }: Pick<ApplicationRecord, 'renewsApplicationId'>, patch: Patch): void {
  const errors: FieldError[] = renewsApplicationId === null || patch.taxId === undefined ? []
    : [{ pointer: '/applicant/taxId', code: 'personal_data_masked', message: 'is that of the application that is renewed, which the caller is shown masked' }];
  for (const [name, { judged, unseen }] of Object.entries(JUDGED_TOGETHER)) {
    const given = patch[name as keyof typeof JUDGED_TOGETHER];
    if (given === null || given === undefined || !judged.some((member) => Object.hasOwn(given, member))) continue;
    const hidden: readonly string[] = unseen();
    const missing = judged.filter((member) => hidden.includes(member) && !Object.hasOwn(given, member));
    errors.push(...missing.map((member) => ({ pointer: `/applicant/${name}/${member}`, code: 'personal_data_masked', message: 'must be sent too, because the caller is shown it masked and it is judged together with what was sent' })));
  }
  if (errors.length > 0) throw new Problem('personal_data_masked', { errors });
}

/** Masked members by which a screening compares the applicant with the entries of lists. */
const COMPARED = ['fullName', 'socialName', 'dateOfBirth', 'taxId'] as const satisfies readonly (keyof Patch)[];

/** Whether a patch names a member that an applicant is compared by, whatever it says of it. */
export function isComparedBy(patch: Patch): boolean {
  return COMPARED.some((name) => patch[name] !== undefined);
}
