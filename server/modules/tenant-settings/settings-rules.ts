/**
 * This file holds the rules for the settings of a tenant that a schema cannot express: legal bounds with their norms,
 * the contrast of colours, known lists and checks, and members that must agree with each other. Used by
 * update-settings.ts and the handlers.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Body } from '../../contract/operation-types.ts';
import { type FieldError, Problem, type ProblemCode } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { isObject, type JsonValue } from '../../rules/merge-patch.ts';
import { REASON_CATALOGUE } from '../../rules/reasons.ts';
import { isWatchList, WATCH_LISTS } from '../watch-lists/index.ts';
import { templateErrors } from './report-settings.ts';
import { KINDS_OF_LIST, KINDS_OF_SUBJECT } from './screening-profile.ts';
import { CHECKS, CHECKS_OF_BUSINESSES, type Section, type TenantSettings } from './settings.ts';

/** Member of a document, by its JSON Pointer (RFC 6901). */
type PointedValue = readonly [pointer: string, value: JsonValue];

/** Finds the members that a pointer names; the step `*` stands for every element of an array. */
export function valuesAtPointer(document: JsonValue, pointer: string): PointedValue[] {
  let found: PointedValue[] = [['', document]];
  for (const step of pointer.split('/').slice(1)) found = found.flatMap((member) => childrenAt(member, step));
  return found;
}

function childrenAt([pointer, value]: PointedValue, step: string): PointedValue[] {
  if (Array.isArray(value))
    return step === '*' ? value.map((element: JsonValue, at): PointedValue => [`${pointer}/${at}`, element]) : [];
  const next = isObject(value) ? value[step] : undefined;
  return next === undefined ? [] : [[`${pointer}/${step}`, next]];
}

/** Contrast between normal text and its background (WCAG 2.2, success criterion 1.4.3, level AA). */
export const LEAST_CONTRAST = 4.5;

/**
 * Returns the contrast of a colour against white. White is both the background of the pages and the text on buttons, so
 * one ratio serves both. Allowing black text too would make the rule useless, because every colour has 4.58 against
 * black or white.
 */
export function contrastWithWhite(colour: string): number {
  return 1.05 / (relativeLuminance(colour) + 0.05);
}

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2). */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

interface LegalBound {
  /** JSON Pointer; `*` stands for every element. */
  readonly member: string;
  readonly least?: number;
  readonly most?: number;
  readonly includes?: string;
  readonly norm: string;
}

/** The bounds that the law or a standard sets for every tenant, each with its norm. */
export const LEGAL_BOUNDS: readonly LegalBound[] = [
  { member: '/retention/customerYears', least: 10, norm: 'Circular BCB 3.978/2020, art. 67' },
  { member: '/retention/rejectedYears', least: 5, norm: 'Lei 9.613/1998, art. 10, § 2º' },
  { member: '/retention/auditYears', least: 10, norm: 'Circular BCB 3.978/2020, art. 67' },
  { member: '/retention/biometricDays', most: 365, norm: 'Lei 13.709/2018 (LGPD), arts. 6º, III, and 16' },
  { member: '/ownership/percent', most: 25, norm: 'Circular BCB 3.978/2020, art. 25' },
  { member: '/ownership/lowerFor/*/percent', most: 25, norm: 'Circular BCB 3.978/2020, art. 25' },
  { member: '/decisionPolicy/minimumAge', least: 18, norm: 'Código Civil (Lei 10.406/2002), art. 5º' },
  { member: '/screening/defaultLists', includes: 'un-csnu', norm: 'Lei 13.810/2019, art. 6º' },
  { member: '/security/passwordMinLength', least: 12, norm: 'OWASP ASVS 4.0.3, 2.1.1' },
];

/** Returns the norm that bounds a member. */
export function normOf(member: '/retention/customerYears' | '/retention/rejectedYears'): string {
  return LEGAL_BOUNDS.find((bound) => bound.member === member)!.norm;
}

/** Lists every member that is outside of its legal bounds, with the norm. */
export function legalErrors(document: JsonValue): FieldError[] {
  return LEGAL_BOUNDS.flatMap((bound) =>
    valuesAtPointer(document, bound.member).flatMap(([pointer, value]) => {
      const demand = demandOf(bound, value);
      return demand === null ? [] : [{ pointer, code: 'below_legal_minimum', message: `${demand} (${bound.norm})` }];
    }),
  );
}

/** Returns what the value must be, or null if it is within the bound. */
function demandOf({ least, most, includes }: LegalBound, value: JsonValue): string | null {
  if (least !== undefined && typeof value === 'number' && value < least) return `must be at least ${least}`;
  if (most !== undefined && typeof value === 'number' && value > most) return `must be at most ${most}`;
  if (includes !== undefined && Array.isArray(value) && !value.includes(includes)) return `must include ${includes}`;
  return null;
}

const json = (value: object): JsonValue => value as JsonValue;

/**
 * Lists all errors that the changed sections would have after the patch. Unchanged sections are not checked, so that a
 * bound that was tightened later does not prevent other changes.
 */
export function settingsErrors(settings: TenantSettings, changed: readonly Section[]): FieldError[] {
  const document = json(Object.fromEntries(changed.map((section) => [section, settings[section]])));
  return [
    ...legalErrors(document),
    ...listErrors(document),
    ...colourErrors(document),
    ...(changed.includes('reports') ? templateErrors(settings.reports) : []),
    ...consistencyErrors(document),
  ];
}

/** Lists the errors of a patch that do not depend on the current settings. */
export function patchErrors(patch: ValidPart<Body<'updateSettings'>>): FieldError[] {
  const document = json(patch);
  return [
    ...legalErrors(document),
    ...listErrors(document),
    ...colourErrors(document),
    ...templateErrors(patch.reports),
    ...unknownChecks(document),
    ...catalogueErrors(patch),
    ...deadErrors(patch),
  ];
}

/**
 * Rejects changes of the catalogue of reasons, which belongs to the platform. Callers that send back what they have
 * read may include it unchanged.
 */
export function catalogueErrors(patch: ValidPart<Body<'updateSettings'>>): FieldError[] {
  return valuesAtPointer(json(patch), '/decisionPolicy/reasonCatalogue')
    .filter(([, catalogue]) => !isDeepStrictEqual(catalogue, REASON_CATALOGUE))
    .map(([pointer]) => ({
      pointer,
      code: 'not_settable',
      message: 'must be left out, or be as it was read: it is the same for every tenant',
    }));
}

/** Rejects values that no longer have an effect. Sending back what was read sets nothing. */
export function deadErrors({ security }: ValidPart<Body<'updateSettings'>>): FieldError[] {
  if (security?.allowPlatformImpersonation !== true) return [];
  return [
    {
      pointer: '/security/allowPlatformImpersonation',
      code: 'enum',
      message: 'must be false, because staff of the platform do not act in the place of a user',
    },
  ];
}

/** Throws if there are errors. The first one determines the code of the problem; `errors` lists all of them. */
export function assertNoErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new Problem(CODES.find((code) => code === first.code) ?? 'validation_failed', { errors });
}

const CODES: readonly ProblemCode[] = ['below_legal_minimum', 'unknown_list', 'colour_contrast_too_low'];

function listErrors(document: JsonValue): FieldError[] {
  return valuesAtPointer(document, '/screening/defaultLists/*')
    .filter(([, list]) => !isWatchList(String(list)))
    .map(([pointer]) => ({
      pointer,
      code: 'unknown_list',
      message: `must be one of ${Object.keys(WATCH_LISTS).join(', ')}`,
    }));
}

function colourErrors(document: JsonValue): FieldError[] {
  return valuesAtPointer(document, '/branding/primaryColor')
    .filter(([, colour]) => typeof colour === 'string' && contrastWithWhite(colour) < LEAST_CONTRAST)
    .map(([pointer]) => ({
      pointer,
      code: 'colour_contrast_too_low',
      message: `must reach a contrast of ${LEAST_CONTRAST} to 1 against white (WCAG 2.2, 1.4.3)`,
    }));
}

function consistencyErrors(document: JsonValue): FieldError[] {
  return [
    ...repeated(document, '/queues/*/key'),
    ...repeated(document, '/cases/checklists/*/type'),
    ...repeatedItems(document),
    ...repeated(document, '/cases/qualityReviews/*/type'),
    ...repeated(document, '/customActTypes/*/key'),
    ...repeated(document, '/risk/facts/*/name'),
    ...repeated(document, '/ownership/lowerFor/*/riskLevel'),
    ...unknownChecks(document),
    ...notLower(document),
    ...crossedLines(document),
  ];
}

/** Rejects a key that two items of the same checklist have. */
function repeatedItems(document: JsonValue): FieldError[] {
  return valuesAtPointer(document, '/cases/checklists/*/items').flatMap(([list]) =>
    repeated(document, `${list}/*/key`),
  );
}

function repeated(document: JsonValue, pointer: string): FieldError[] {
  const members = valuesAtPointer(document, pointer);
  return members
    .filter(([, value], at) => members.findIndex(([, other]) => other === value) < at)
    .map(([where]) => ({ pointer: where, code: 'repeated', message: 'must be in the list once' }));
}

const KNOWN_CHECKS = [
  ['requiredChecks', CHECKS],
  ['requiredChecksOfBusinesses', CHECKS_OF_BUSINESSES],
] as const;

function unknownChecks(document: JsonValue): FieldError[] {
  return KNOWN_CHECKS.flatMap(([member, known]) =>
    ['basic', 'standard', 'enhanced']
      .flatMap((level) => valuesAtPointer(document, `/decisionPolicy/${member}/${level}/*`))
      .filter(([, check]) => !(known as ReadonlySet<string>).has(check as string))
      .map(([pointer]) => ({ pointer, code: 'unknown_check', message: 'must be a check that the platform knows' })),
  );
}

function notLower(document: JsonValue): FieldError[] {
  const [general] = valuesAtPointer(document, '/ownership/percent');
  return valuesAtPointer(document, '/ownership/lowerFor/*/percent')
    .filter(([, percent]) => general !== undefined && (percent as number) > (general[1] as number))
    .map(([pointer]) => ({ pointer, code: 'not_lower', message: 'must not be above the general percentage' }));
}

const NEXT_LINES = [
  ['alert', 'review'],
  ['review', 'strong'],
] as const;

/** Rejects a line below the previous one, because no hit could be in its band. */
function crossedLines(document: JsonValue): FieldError[] {
  const kinds = KINDS_OF_LIST.flatMap((list) =>
    KINDS_OF_SUBJECT.map((subject) => `/screening/profile/${list}/${subject}`),
  );
  return kinds.flatMap((kind) =>
    NEXT_LINES.flatMap(([before, after]) => {
      const [[, least] = []] = valuesAtPointer(document, `${kind}/${before}`);
      return valuesAtPointer(document, `${kind}/${after}`)
        .filter(([, line]) => least !== undefined && (line as number) < (least as number))
        .map(([pointer]) => ({
          pointer,
          code: 'not_ascending',
          message: `must not be below ${before}, which is ${String(least)}`,
        }));
    }),
  );
}
