/**
 * Reads numbers, births and countries from free text and from the names of document types. Used by the readers of the
 * US, EU, UN and UK lists. Ignores text that no pattern matches.
 */
import type { IdentifierKind, ListedDate, ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import { countryCode, countryCodes } from './country-names.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { distinctFurther, further, identifierValue } from './listed-names.ts';

/**
 * Data in the remarks about birth, nationality, gender and numbers, and the aliases in quotes, which are the weak ones.
 */
export type Remarks = Pick<
  ListedEntity,
  'birthDates' | 'gender' | 'countries' | 'identifiers' | 'furtherIdentifiers' | 'references'
> & {
  readonly quoted: readonly string[];
};

/** Kinds of numbers by their names in the remarks and the XML edition. The first match counts. */
const KINDS: readonly (readonly [RegExp, IdentifierKind])[] = [
  [/^passport/i, 'passport'],
  [/^c\.?p\.?f\.?\b|^cadastro de pessoas/i, 'cpf'],
  [/^c\.?n\.?p\.?j\.?\b/i, 'cnpj'],
  [/^(?:tax id|v\.?a\.?t|r\.?f\.?c|r\.?u\.?c\b|n\.?i\.?t\b|nit #|fiscal code|i\.?n\.?n)/i, 'tax_number'],
  [/^(?:legal entity (?:number|identifier)|lei\b)/i, 'lei'],
  [/^(?:vessel registration identification|identification number imo|imo\b)/i, 'imo'],
  [/^digital currency address/i, 'wallet'],
  [
    /^(?:national id|cedula|c\.?u\.?[ir]\.?[tp]|c\.?u\.?i\.?[tl]|d\.?n\.?i|numero de identidad|identification number|personal id|citizen'?s card|british national|tarjeta|birth certificate|numero unico|electoral|voter|national foreign id|n\.?i\.?e\.?\b|ssn|driver)/i,
    'national_id',
  ],
  [
    /^(?:registration (?:number|id)|business registration|company number|trade license|chamber of commerce|commercial registry|government gazette|public registration|matricula|enterprise number|registered charity|unified social credit|folio|license|uk company|economic register|business number|istanbul|d-u-n-s|swift|bik|central registration|certificate of incorporation)/i,
    'registration_number',
  ],
];

/** Reads a number from the remarks, such as `Passport A123 (Iran) expires 01 Jan 2020`; null if it is none. */
export function identifierOf(text: string): ListedIdentifier | null {
  const kind = KINDS.find(([pattern]) => pattern.test(text));
  if (kind === undefined) return null;
  const country = /\(([^)]+)\)/.exec(text)?.[1] ?? '';
  const number =
    /^[A-Za-z][A-Za-z'./# -]*?(?:\s-\s[A-Z]{2,5})?\s+(?:No\.?\s+|Number\s+|#\s*|IMO\s+)?([A-Z0-9][\w./-]*\d[\w./-]*|bc1\w+|[13][A-Za-z0-9]{25,})/.exec(
      text.replace(/\([^)]*\)/g, ' ').replace(/\b(?:issued|expires).*$/, ''),
    )?.[1];
  return number === undefined ? null : { kind: kind[1], country: countryCode(country), value: identifierValue(number) };
}

/** Numbers of ships and companies in the remarks of the United Nations and of the United Kingdom. */
const IN_TEXT: readonly (readonly [RegExp, IdentifierKind])[] = [
  [/\bIMO\)?(?: [Nn]umbers?| [Nn]o\.?)?\)?:? ?(\d{7})\b/g, 'imo'],
  [/\bMMSI(?: [Nn]umber)?:? ?(\d{9})\b/g, 'mmsi'],
  [/\bSWIFT(?:[/ ](?:BIC|code))?:? ([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b/g, 'bic'],
  [/\b(?:Business Reg(?:istration)? No|[Rr]egistration number)\)?:? ([A-Z0-9-]*\d[A-Z0-9-]*)/g, 'registration_number'],
];

/** Reads the numbers in a text that is not written for machines. */
export const numbersInText = (text: string, identifiers: readonly ListedIdentifier[]): ListedIdentifier[] =>
  distinctFurther(
    IN_TEXT.flatMap(([pattern, kind]) =>
      [...text.matchAll(pattern)].map(([, number = '']) => ({ kind, country: null, value: identifierValue(number) })),
    ),
    identifiers,
  );

/** Numbers that `identifierOf` leaves out, because they have no digit, another name or points in it. */
const FURTHER: readonly (readonly [RegExp, IdentifierKind])[] = [
  [/\bSWIFT\/BIC ([A-Z0-9]{8}(?:[A-Z0-9]{3})?)\b/g, 'bic'],
  [/\bMMSI (\d{9})\b/g, 'mmsi'],
  [/\bAircraft Tail Number ([A-Z0-9][A-Z0-9-]*)/g, 'aircraft_registration'],
  [/\bV\.A\.T\. Number ([A-Z]{0,2} ?[A-Z0-9][\w./-]*)(?: \(([^)]+)\))?/g, 'tax_number'],
  [/\b(?:RIF #|US FEIN) ([A-Z0-9][\w./-]*)(?: \(([^)]+)\))?/g, 'tax_number'],
  [/\bC\.R\. No\. ([A-Z0-9][\w./-]*)(?: \(([^)]+)\))?/g, 'registration_number'],
  [
    /(?:\bBusiness Registration Document # CUD:|\(USCCC?\)) ([A-Z0-9][\w./-]*)(?: \(([^)]+)\))?/g,
    'registration_number',
  ],
];

/** Reads the numbers of a text that `identifierOf` leaves out. Numbers that it reads are not among them. */
function furtherIn(remarks: string, identifiers: readonly ListedIdentifier[]): ListedIdentifier[] {
  return distinctFurther(
    FURTHER.flatMap(([pattern, kind]) =>
      [...remarks.matchAll(pattern)].map(([, number = '', country = '']) => ({
        kind,
        country: countryCode(country),
        value: identifierValue(number),
      })),
    ),
    identifiers,
  );
}

/** Returns the kind of a number whose name and value are separate, as in XML. */
export const identifierKind = (name: string): IdentifierKind =>
  KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';

/**
 * Returns the numbers without a digit of an entity whose numbers have separate names and values: codes of banks, which
 * are the only ones of letters alone.
 */
export const lettersOnly = (numbers: readonly (readonly [name: string, value: string])[]): ListedIdentifier[] =>
  distinctFurther(
    numbers
      .filter(([name, value]) => /swift|\bbic\b/i.test(name) && !/\d/.test(value))
      .map(([, value]) => ({ kind: 'bic', country: null, value: identifierValue(value) })),
    [],
  );

export function remarksOf(remarks: string): Remarks {
  const parts = remarks
    .replace(/\.\s*$/, '')
    .split(/;\s+|\.\s+(?=[A-Z][a-z]+ )/)
    .map((part) => part.replace(/^alt\.\s+/, '').trim());
  const after = (label: RegExp): string[] =>
    parts.flatMap((part) => (label.test(part) ? [part.replace(label, '').trim()] : []));
  const dates: (ListedDate | null)[] = after(/^DOB\s+/).map(writtenDate);
  const gender = after(/^Gender\s+/)[0]
    ?.toLowerCase()
    .replace(/\.$/, '');
  const identifiers = parts.map(identifierOf).filter((identifier) => identifier !== null);
  return {
    birthDates: distinctDates(dates),
    gender: gender === 'male' || gender === 'female' ? gender : null,
    countries: countryCodes([
      ...after(/^nationality\s+/),
      ...after(/^citizen\s+/),
      ...after(/^nationality of registration\s+/i),
    ]),
    identifiers: [...new Map(identifiers.map((identifier) => [JSON.stringify(identifier), identifier])).values()],
    ...further(furtherIn(remarks, identifiers)),
    references: [],
    quoted: [...remarks.matchAll(/[afn]\.k\.a\. '([^;]*?)'(?=[;.]|$)/g)].map((match) => match[1]!),
  };
}
