import type { SoundPart } from '../../contract/handlers.ts';
import type { Body } from '../../contract/request.ts';
import type { FieldError } from '../../http/problem.ts';
import { birthFaults } from './applicant.ts';
import { addressFaults } from './br-address.ts';
import { reservedKeys } from './metadata.ts';
import { taxIdFaults } from './tax-id.ts';

/** The rules that a body alone can break: none of them depends on the environment, the time or the stored record. */
export function certainFaults({ applicant, metadata }: SoundPart<Body<'createApplication'> | Body<'updateApplication'>>): FieldError[] {
  const { dateOfBirth, taxId, address } = applicant ?? {};
  return [
    ...(dateOfBirth == null ? [] : birthFaults(dateOfBirth, null)),
    // The sandbox accepts what live accepts, and its personas.
    ...(taxId?.type == null || taxId.value == null ? [] : taxIdFaults({ type: taxId.type, value: taxId.value, country: taxId.country ?? undefined }, 'sandbox')),
    ...(address?.country == null ? [] : addressFaults({ country: address.country, state: address.state ?? null, postalCode: address.postalCode ?? null })),
    ...(metadata == null ? [] : reservedKeys(metadata)),
  ];
}
