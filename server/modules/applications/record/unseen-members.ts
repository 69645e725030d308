/**
 * Protects masked personal data against guessing by patches. Used by changes of applications. A caller who does not see
 * a member must not learn from a validation whether a guess is right, so members that are validated together must be
 * sent together.
 */
import { masks } from '../../../contract/generated/masks.ts';
import type { components } from '../../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { ApplicationRecord } from './application.ts';

type Patch = components['schemas']['ApplicantUpdate'];

/**
 * Members that a rule validates together, by the member of the applicant that contains them, and which of the contained
 * members are masked.
 */
const JUDGED_TOGETHER = {
  taxId: { judged: ['type', 'country', 'value'], unseen: () => Object.keys(masks.RecordedTaxId) },
  address: { judged: ['country', 'state', 'postalCode'], unseen: () => Object.keys(masks.RecordedAddress) },
  pepDeclaration: { judged: ['since', 'until'], unseen: () => ['since', 'until'] },
} as const satisfies Partial<Record<keyof Patch, object>>;

/**
 * Rejects a patch of a caller who sees persons masked if its validity depends on stored members that the caller does
 * not see: the caller could find out their values by trial. Members that are validated together must be sent together,
 * and the tax number of a renewal must not be sent, because it has to equal that of the renewed application.
 */
export function assertSeesWhatIsJudged(
  { renewsApplicationId }: Pick<ApplicationRecord, 'renewsApplicationId'>,
  patch: Patch,
): void {
  const errors: FieldError[] =
    renewsApplicationId === null || patch.taxId === undefined
      ? []
      : [
          {
            pointer: '/applicant/taxId',
            code: 'personal_data_masked',
            message: 'is that of the application that is renewed, which the caller is shown masked',
          },
        ];
  for (const [name, { judged, unseen }] of Object.entries(JUDGED_TOGETHER)) {
    const sent = patch[name as keyof typeof JUDGED_TOGETHER];
    if (sent === null || sent === undefined || !judged.some((member) => Object.hasOwn(sent, member))) continue;
    const hidden: readonly string[] = unseen();
    const missing = judged.filter((member) => hidden.includes(member) && !Object.hasOwn(sent, member));
    errors.push(
      ...missing.map((member) => ({
        pointer: `/applicant/${name}/${member}`,
        code: 'personal_data_masked',
        message: 'must be sent too, because the caller is shown it masked and it is judged together with what was sent',
      })),
    );
  }
  if (errors.length > 0) throw new Problem('personal_data_masked', { errors });
}

/** Masked members by which a screening compares the applicant with the entries of lists. */
const COMPARED = ['fullName', 'socialName', 'dateOfBirth', 'taxId'] as const satisfies readonly (keyof Patch)[];

/** Returns whether a patch contains a member that screenings compare, whatever its value. */
export function isComparedBy(patch: Patch): boolean {
  return COMPARED.some((name) => patch[name] !== undefined);
}
