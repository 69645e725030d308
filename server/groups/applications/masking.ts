import type { AnyPrincipal, Role } from '../../contract/principal.ts';
import type { Applicant, Document } from './application.ts';

/** Roles that work with records and not with people. Keys and tokens of the tenant's own servers see everything. */
const MASKED_ROLES: ReadonlySet<Role> = new Set<Role>(['admin', 'developer', 'viewer']);
const HIDDEN = '***';

export function seesMasked(principal: AnyPrincipal): boolean {
  return principal.kind === 'user' && MASKED_ROLES.has(principal.role);
}

/** Enough to tell two records apart, not enough to know the person. */
export function maskApplicant(applicant: Applicant): Applicant {
  const { taxId, address } = applicant;
  return {
    fullName: applicant.fullName.split(' ').map((word) => `${[...word][0] ?? ''}${HIDDEN}`).join(' ').slice(0, 200),
    socialName: null,
    motherName: null,
    dateOfBirth: null,
    nationality: applicant.nationality,
    countryOfBirth: null,
    taxId: taxId === null ? null : { ...taxId, value: maskTaxNumber(taxId.value) },
    email: null,
    phone: null,
    address: address === null ? null : {
      line1: HIDDEN, number: null, line2: null, district: null, city: HIDDEN, state: address.state, postalCode: null, country: address.country,
    },
    occupation: null,
    monthlyIncome: null,
    sourceOfFunds: applicant.sourceOfFunds,
    pepDeclaration: null,
    taxResidencies: [],
    residentAbroad: applicant.residentAbroad,
  };
}

/** File names carry the names of people. */
export function maskDocument(document: Document): Document {
  const extension = /\.[a-z0-9]{1,5}$/i.exec(document.fileName)?.[0] ?? '';
  return { ...document, fileName: `document${extension}` };
}

/** As Brazilian registers publish a CPF: the first three and the last two characters hidden. */
function maskTaxNumber(value: string): string {
  return value.length < 8 ? HIDDEN : `${HIDDEN}${value.slice(3, -2)}**`;
}
