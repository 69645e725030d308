/**
 * What dates, gender, country and numbers add to or take from a score. Used by judgement, search and index. Missing
 * data changes nothing; a bound that is too low hides hits.
 */
import { DAY_MILLISECONDS } from '../../base/time.ts';
import type { IdentifierKind, ListedDate, ListedEntity } from '../listed-entity.ts';
import { differentNumbers, isEqualNumber, LIFELONG } from './identifiers.ts';
import type { Subject } from './subject.ts';

/**
 * Effect of other data than the name: agreement adds a little, contradiction takes more, and data that one side lacks
 * changes nothing.
 */
export interface Modifier {
  readonly field: keyof Verdicts;
  readonly verdict: Verdicts[keyof Verdicts];
  readonly subject: string;
  readonly listed: readonly string[];
  readonly delta: number;
}

interface Verdicts {
  readonly date_of_birth: keyof typeof DATE_VERDICTS;
  readonly gender: 'differs';
  readonly country: 'shared' | 'differs';
  readonly tax_id: 'mask_fits' | 'mask_differs' | 'differs';
  readonly imo: 'differs';
  readonly lei: 'differs';
}

/** Name of a modifier as a reason of a score. */
export type ModifierReason = { readonly [Field in keyof Verdicts]: `${Field}_${Verdicts[Field]}` }[keyof Verdicts];
export const reasonOf = ({ field, verdict }: Modifier): ModifierReason => `${field}_${verdict}` as ModifierReason;

/**
 * What each result of comparing dates adds. An equal day agrees by chance in one of 20,000 people, so it says as much
 * as a rare name.
 */
const DATE_VERDICTS = {
  equal: 0.3,
  month_equal: 0.1,
  year_equal: 0.04,
  day_and_month_swapped: -0.05,
  digits_swapped: -0.05,
  one_digit_differs: -0.05,
  one_off: -0.05,
  near_year: -0.05,
  same_year_other_day: -0.1,
  year_differs: -0.15,
  differs: -0.3,
} as const;
/** A day that lists and forms state if only the year is known, and what it adds if both state it. */
const PLACEHOLDER = { day: '-01-01', adds: 0.2 } as const;
type DateVerdict = keyof typeof DATE_VERDICTS;

const COUNTRY_SHARED = 0.02;
const MASK_FITS = 0.1;

/** First and last possible year of birth; both are zero if unknown. */
export interface Years {
  readonly from: number;
  readonly to: number;
}

export function yearsOf(dates: readonly ListedDate[]): Years {
  const years = dates
    .flatMap((date) => (typeof date === 'string' ? [Number(date.slice(0, 4))] : [date.from, date.to]))
    .filter(Number.isFinite);
  return years.length === 0 ? { from: 0, to: 0 } : { from: Math.min(...years), to: Math.max(...years) };
}

/**
 * Most that data other than the name can add to a score, depending on whether both may be born in one year: `unknown`
 * if one side has no date.
 */
export interface Support {
  readonly sameYear: number;
  readonly otherYear: number;
  readonly unknown: number;
}

const supportOf = (rest: number, isBirthKnown: boolean): Support => ({
  sameYear: rest + (isBirthKnown ? DATE_VERDICTS.equal : 0),
  otherYear: rest + (isBirthKnown ? DATE_VERDICTS.near_year : 0),
  unknown: rest,
});

/** Returns the most that can be added for a subject, whatever the entity. */
export const mostSupport = ({ birthDate, countries, taxId }: Subject): Support =>
  supportOf((countries.length === 0 ? 0 : COUNTRY_SHARED) + (taxId === null ? 0 : MASK_FITS), birthDate !== null);

/** Returns the most that can be added for a listed entity, whatever the subject. */
export const mostSupportOf = ({ birthDates, countries, identifiers }: ListedEntity): Support =>
  supportOf(
    (countries.length === 0 ? 0 : COUNTRY_SHARED) +
      (identifiers.some(({ kind }) => kind === 'cpf_masked') ? MASK_FITS : 0),
    birthDates.length > 0,
  );

const NO_MODIFIERS: readonly Modifier[] = [];

export function modifiersOf(subject: Subject, entity: ListedEntity, dobToleranceYears: number): readonly Modifier[] {
  const found = [
    dateModifier(subject, entity, dobToleranceYears),
    genderModifier(subject, entity),
    countryModifier(subject, entity),
    taxIdModifier(subject, entity),
    ...LIFELONG.map((kind) => lifelongModifier(subject, entity, kind)),
  ];
  return found.every((modifier) => modifier === null) ? NO_MODIFIERS : found.filter((modifier) => modifier !== null);
}

function dateModifier({ birthDate }: Subject, { birthDates }: ListedEntity, tolerance: number): Modifier | null {
  if (birthDate === null || birthDates.length === 0) return null;
  // Uncertain sources give several dates: the most favourable one counts.
  const verdict = birthDates
    .map((date) => compareDates(birthDate, date, tolerance))
    .reduce((best, next) => (DATE_VERDICTS[next] > DATE_VERDICTS[best] ? next : best));
  return {
    field: 'date_of_birth',
    verdict,
    subject: birthDate,
    listed: birthDates.map((date) => (typeof date === 'string' ? date : `${date.from}/${date.to}`)),
    delta: verdict === 'equal' && birthDate.endsWith(PLACEHOLDER.day) ? PLACEHOLDER.adds : DATE_VERDICTS[verdict],
  };
}

function compareDates(subject: string, listed: ListedDate, tolerance: number): DateVerdict {
  const year = Number(subject.slice(0, 4));
  const [from, to] =
    typeof listed === 'string' ? [Number(listed.slice(0, 4)), Number(listed.slice(0, 4))] : [listed.from, listed.to];
  const apart = Math.max(0, from - year, year - to);
  const date = typeof listed === 'string' ? listed : '';
  const known = Math.min(subject.length, date.length);
  const areDays = known === DAY;
  if (areDays && subject === date) return 'equal';
  if (known === MONTH && apart === 0) return compareMonths(subject, date);
  const slip = areDays ? slipBetween(subject, date) : null;
  if (slip !== null) return slip;
  if (apart === 0) return areDays ? 'same_year_other_day' : 'year_equal';
  if (apart <= tolerance || (apart === 1 && !areDays)) return 'near_year';
  return areDays ? 'differs' : 'year_differs';
}

/** Lengths of a day and a month (ISO 8601). */
const [DAY, MONTH] = ['2000-01-01'.length, '2000-01'.length];

/** Compares two dates of one year, of which one is a month. */
function compareMonths(one: string, other: string): DateVerdict {
  const [month, otherMonth] = [one.slice(5, 7), other.slice(5, 7)];
  if (month === otherMonth) return 'month_equal';
  if (month === other.slice(8) || otherMonth === one.slice(8)) return 'day_and_month_swapped';
  return Math.abs(Number(month) - Number(otherMonth)) === 1 ? 'one_off' : 'same_year_other_day';
}

/**
 * Returns the typing mistake that explains two different dates, so that the difference means little; null if they
 * differ by more.
 */
function slipBetween(one: string, other: string): DateVerdict | null {
  const [[year, month, day], [otherYear, otherMonth, otherDay]] = [one.split('-'), other.split('-')] as [
    [string, string, string],
    [string, string, string],
  ];
  if (year === otherYear && month === otherDay && day === otherMonth) return 'day_and_month_swapped';
  const digits = [year + month + day, otherYear + otherMonth + otherDay] as const;
  const [first = 0, second, third] = [...digits[0]].flatMap((digit, index) =>
    digit === digits[1][index] ? [] : [index],
  );
  if (month === otherMonth && day === otherDay && Math.abs(Number(year) - Number(otherYear)) === 1) return 'near_year';
  if (year === otherYear && day === otherDay && Math.abs(Number(month) - Number(otherMonth)) === 1) return 'one_off';
  if (Math.abs(Date.parse(one) - Date.parse(other)) === DAY_MILLISECONDS) return 'one_off';
  if (second === undefined) return 'one_digit_differs';
  return third === undefined &&
    second === first + 1 &&
    digits[0][first] === digits[1][second] &&
    digits[0][second] === digits[1][first]
    ? 'digits_swapped'
    : null;
}

function genderModifier({ gender }: Subject, entity: ListedEntity): Modifier | null {
  if (gender === null || entity.gender === null || gender === entity.gender) return null;
  return {
    field: 'gender',
    verdict: 'differs',
    subject: gender,
    listed: [entity.gender],
    delta: -0.1,
  };
}

function countryModifier({ countries }: Subject, entity: ListedEntity): Modifier | null {
  if (countries.length === 0 || entity.countries.length === 0) return null;
  const isShared = countries.some((country) => entity.countries.includes(country));
  return {
    field: 'country',
    verdict: isShared ? 'shared' : 'differs',
    subject: countries.join(' '),
    listed: entity.countries,
    delta: isShared ? COUNTRY_SHARED : -0.05,
  };
}

const TAX_KINDS: Readonly<Record<Subject['type'], readonly IdentifierKind[]>> = {
  person: ['cpf', 'cpf_masked'],
  organisation: ['cnpj'],
};

/** Compares tax numbers. An equal number is stronger than any name, so it is no modifier: see `equalIdentifier`. */
function taxIdModifier(subject: Subject, { identifiers }: ListedEntity): Modifier | null {
  const { taxId, type } = subject;
  const comparable = identifiers.filter(({ kind }) => TAX_KINDS[type].includes(kind));
  if (taxId === null || comparable.length === 0) return null;
  const listed = comparable.map(({ value }) => value);
  if (comparable.some((identifier) => isEqualNumber(identifier, taxId))) return null;
  const isMasked = comparable.every(({ kind }) => kind === 'cpf_masked');
  if (comparable.some(({ kind, value }) => kind === 'cpf_masked' && fitsMask(taxId, value)))
    return {
      field: 'tax_id',
      verdict: 'mask_fits',
      subject: maskLike(taxId, listed[0]!),
      listed,
      delta: MASK_FITS,
    };
  // A different number excludes a person. It says less about a company, because groups are listed under the number of
  // one member.
  return {
    field: 'tax_id',
    verdict: isMasked ? 'mask_differs' : 'differs',
    subject: isMasked ? maskLike(taxId, listed[0]!) : taxId,
    listed,
    delta: type === 'person' ? -0.3 : -0.15,
  };
}

const fitsMask = (taxId: string, mask: string): boolean =>
  mask.length === taxId.length && [...mask].every((sign, index) => sign === '*' || sign === taxId[index]);
/** Masks a number like the list does, so that an explanation shows no more of it. */
const maskLike = (taxId: string, mask: string): string =>
  [...taxId].map((digit, index) => (mask[index] === '*' ? '*' : digit)).join('');

/** A ship keeps its IMO number for life; a group is sometimes listed under the identifier of one member. */
const OTHER_NUMBER = { imo: -0.3, lei: -0.15 } as const;

/** Compares numbers that are issued once for the whole life of the subject. */
function lifelongModifier(subject: Subject, entity: ListedEntity, kind: keyof typeof OTHER_NUMBER): Modifier | null {
  const different = differentNumbers(subject, entity, kind);
  return different === null
    ? null
    : {
        field: kind,
        verdict: 'differs',
        subject: different.subject.join(' '),
        listed: different.listed,
        delta: OTHER_NUMBER[kind],
      };
}
