/** Makes an applicant of a party of the ownership, without input or output. Used by the handler of this module. */
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import { isMasked, type RecordedGraph, type RecordedParty } from '../ownership/index.ts';

type Schemas = components['schemas'];

/** Returns the applicant: the given name, with the number and the date of birth of the graph. */
export function applicantOf(
  { taxId, country, dateOfBirth }: RecordedParty,
  fullName: string,
): Schemas['ApplicantCreate'] {
  const isBrazilian = country === null || country === 'BR';
  const number = taxId === null || isMasked(taxId) ? null : taxId;
  return {
    fullName,
    dateOfBirth,
    taxId:
      number === null
        ? null
        : { type: isBrazilian ? 'cpf' : 'other', value: number, country: isBrazilian ? 'BR' : country },
  };
}

/** Returns what is wrong with the persons of a request: each must be a person of the graph, once. */
export function partyFaults(
  { parties }: Pick<RecordedGraph, 'parties'>,
  wanted: readonly Schemas['PartyApplicationCreate'][],
): FieldError[] {
  return wanted.flatMap(({ partyKey }, index): FieldError[] => {
    const pointer = `/parties/${index}/partyKey`;
    if (wanted.findIndex((other) => other.partyKey === partyKey) !== index)
      return [{ pointer, code: 'repeated', message: 'must be in the list once' }];
    const party = parties.find(({ key }) => key === partyKey);
    return party?.kind === 'person'
      ? []
      : [{ pointer, code: 'unknown_party', message: 'must be the key of a person of the latest version' }];
  });
}
