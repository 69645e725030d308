import type { SoundPart } from '../../contract/handlers.ts';
import type { Body } from '../../contract/request.ts';
import { Problem, type FieldError, type ProblemCode } from '../../http/problem.ts';
import { contrastWithWhite, LEAST_CONTRAST } from './contrast.ts';
import type { Section, Settings } from './document.ts';
import { legalErrors } from './legal-bounds.ts';
import { membersAt } from './members.ts';
import type { JsonValue } from './overlay.ts';
import { CHECKS, SCREENING_LISTS } from './vocabulary.ts';

const json = (value: object): JsonValue => value as unknown as JsonValue;

/**
 * Everything that is wrong with the sections that a patch touches, as they would be. The others are left alone: a bound
 * that rises one day must not stand in the way of changing something else.
 */
export function settingsErrors(settings: Settings, touched: readonly Section[]): FieldError[] {
  const document = json(Object.fromEntries(touched.map((section) => [section, settings[section]])));
  return [...legalErrors(document), ...listErrors(document), ...colourErrors(document), ...consistencyErrors(document)];
}

/** What is wrong with a patch whatever the settings are that it changes. */
export function patchErrors(patch: SoundPart<Body<'updateSettings'>>): FieldError[] {
  const document = json(patch);
  return [...legalErrors(document), ...listErrors(document), ...colourErrors(document), ...unknownChecks(document)];
}

/** The first kind of error names the problem; `errors` has all of them. */
export function assertNoErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new Problem(CODES.find((code) => code === first.code) ?? 'validation_failed', { errors });
}

const CODES: readonly ProblemCode[] = ['below_legal_minimum', 'unknown_list', 'colour_contrast_too_low'];

function listErrors(document: JsonValue): FieldError[] {
  return membersAt(document, '/screening/defaultLists/*').filter(([, list]) => !SCREENING_LISTS.has(list as string))
    .map(([pointer]) => ({ pointer, code: 'unknown_list', message: `must be one of ${[...SCREENING_LISTS].join(', ')}` }));
}

function colourErrors(document: JsonValue): FieldError[] {
  return membersAt(document, '/branding/primaryColor').filter(([, colour]) => typeof colour === 'string' && contrastWithWhite(colour) < LEAST_CONTRAST)
    .map(([pointer]) => ({ pointer, code: 'colour_contrast_too_low', message: `must reach a contrast of ${LEAST_CONTRAST} to 1 against white (WCAG 2.2, 1.4.3)` }));
}

function consistencyErrors(document: JsonValue): FieldError[] {
  return [
    ...repeated(document, '/queues/*/key'), ...repeated(document, '/customActTypes/*/key'), ...repeated(document, '/ownership/lowerFor/*/riskLevel'),
    ...unknownChecks(document), ...notLower(document),
  ];
}

function repeated(document: JsonValue, pointer: string): FieldError[] {
  const members = membersAt(document, pointer);
  return members.filter(([, value], at) => members.findIndex(([, other]) => other === value) < at)
    .map(([where]) => ({ pointer: where, code: 'repeated', message: 'must be in the list once' }));
}

function unknownChecks(document: JsonValue): FieldError[] {
  return ['basic', 'standard', 'enhanced'].flatMap((level) => membersAt(document, `/decisionPolicy/requiredChecks/${level}/*`))
    .filter(([, check]) => !CHECKS.has(check as string))
    .map(([pointer]) => ({ pointer, code: 'unknown_check', message: 'must be a check that the platform performs' }));
}

function notLower(document: JsonValue): FieldError[] {
  const [general] = membersAt(document, '/ownership/percent');
  return membersAt(document, '/ownership/lowerFor/*/percent').filter(([, percent]) => general !== undefined && (percent as number) > (general[1] as number))
    .map(([pointer]) => ({ pointer, code: 'not_lower', message: 'must not be above the general percentage' }));
}
