/**
 * The subject of a screening, from a request or from an applicant, in the form of the contract and of the engine. Used
 * by screenings and searches, and exported by the index. Refuses names that cannot be compared, wrong tax numbers and
 * births in the future.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { assertComparable } from '../../rules/comparable-names.ts';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';
import type { Subject } from '../../screening/engine/subject.ts';
import { type ApplicationRecord, screenedApplicant } from '../applications/index.ts';
import { identifierFaults, recordIdentifiers } from './identifiers.ts';
import type { ScreenedSubject } from './store.ts';

type Applicant = ApplicationRecord['applicant'];

/** Returns the subject of a screening: from the request, or the applicant of an application. */
export function subjectOf(
  given: components['schemas']['ScreeningSubjectInput'] | undefined,
  applicant: Applicant | null,
  environment: Environment,
): ScreenedSubject {
  if (given !== undefined) return readSubject(given, environment);
  if (applicant === null)
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/subject', code: 'required', message: 'must be given unless there is an applicationId' }],
    });
  return screenedApplicant(applicant);
}

function readSubject(
  {
    type,
    names,
    dateOfBirth = null,
    yearOfBirth = null,
    gender = null,
    countries = [],
    taxId = null,
    identifiers = [],
  }: components['schemas']['ScreeningSubjectInput'],
  environment: Environment,
): ScreenedSubject {
  assertComparable(names.map((name, index) => ({ pointer: `/subject/names/${index}`, name })));
  const number = taxId === null ? null : normaliseTaxNumber(taxId);
  const errors: FieldError[] = [];
  const kind = type === 'person' ? 'cpf' : 'cnpj';
  if (number !== null && (type === 'vessel' || type === 'aircraft'))
    errors.push({
      pointer: '/subject/taxId',
      code: 'not_a_taxpayer',
      message: 'must be left out for a vessel or an aircraft',
    });
  else if (number !== null && !isTaxNumber(kind, number, environment))
    errors.push({ pointer: '/subject/taxId', code: 'check_digits', message: `must be a ${kind.toUpperCase()}` });
  errors.push(...identifierFaults(identifiers));
  if (type !== 'person' && (dateOfBirth ?? yearOfBirth ?? gender) !== null)
    errors.push({
      pointer: '/subject/type',
      code: 'not_a_person',
      message: 'must be person for a date of birth or a gender',
    });
  if (dateOfBirth !== null && yearOfBirth !== null && Number(dateOfBirth.slice(0, 4)) !== yearOfBirth)
    errors.push({ pointer: '/subject/yearOfBirth', code: 'contradiction', message: 'must be the year of dateOfBirth' });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return {
    type,
    names: [...names],
    dateOfBirth,
    yearOfBirth,
    gender,
    countries: [...countries],
    taxId: number,
    identifiers: recordIdentifiers(identifiers),
  };
}

/** Rejects a birth after today, because it would contradict every entry that has a date of birth. */
export function assertBorn(
  { dateOfBirth, yearOfBirth }: Partial<components['schemas']['ScreeningSubjectInput']> = {},
  today: string,
): void {
  const errors = [
    ...(dateOfBirth == null || dateOfBirth <= today
      ? []
      : [{ pointer: '/subject/dateOfBirth', code: 'range', message: 'must not be after today' }]),
    ...(yearOfBirth == null || yearOfBirth <= Number(today.slice(0, 4))
      ? []
      : [{ pointer: '/subject/yearOfBirth', code: 'range', message: 'must not be after this year' }]),
  ];
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

/** Returns the same subject in the form of the engine. */
export function searchedSubject({
  type,
  names,
  dateOfBirth,
  yearOfBirth,
  gender,
  countries,
  taxId,
  identifiers,
}: ScreenedSubject): Subject {
  return {
    type: type === 'person' ? 'person' : 'organisation',
    names,
    birthDate: dateOfBirth ?? (yearOfBirth === null ? null : String(yearOfBirth)),
    gender: gender === 'female' || gender === 'male' ? gender : null,
    countries,
    taxId,
    identifiers,
  };
}
