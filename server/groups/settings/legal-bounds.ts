import type { FieldError } from '../../http/problem.ts';
import { membersAt } from './members.ts';
import type { JsonValue } from './overlay.ts';

interface LegalBound {
  /** JSON Pointer; `*` stands for every element. */
  readonly member: string;
  readonly least?: number;
  readonly most?: number;
  readonly includes?: string;
  readonly norm: string;
}

/** What no tenant may go below, or beyond, and what says so. */
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

/** Every member that is out of its legal bounds, with the norm. */
export function legalErrors(document: JsonValue): FieldError[] {
  return LEGAL_BOUNDS.flatMap((bound) => membersAt(document, bound.member).flatMap(([pointer, value]) => {
    const demand = demandOf(bound, value);
    return demand === null ? [] : [{ pointer, code: 'below_legal_minimum', message: `${demand} (${bound.norm})` }];
  }));
}

/** What the value would have to be, or null when it is that. */
function demandOf({ least, most, includes }: LegalBound, value: JsonValue): string | null {
  if (least !== undefined && typeof value === 'number' && value < least) return `must be at least ${least}`;
  if (most !== undefined && typeof value === 'number' && value > most) return `must be at most ${most}`;
  if (includes !== undefined && Array.isArray(value) && !value.includes(includes)) return `must include ${includes}`;
  return null;
}
