/**
 * The document of the settings: sections, defaults and wire form, without input or output. Used by all files of this
 * module. The defaults must satisfy the law, because a new tenant works with them before it configures anything.
 */
import type { components } from '../../contract/generated/types.ts';
import { REASON_CATALOGUE, SHIPPED_REASON_CODES } from '../../rules/reasons.ts';
import { SHIPPED_REPORT_SETTINGS } from './report-settings.ts';
import { SHIPPED_PROFILE } from './screening-profile.ts';

const IDENTITY = ['identity_data', 'tax_id_valid'];
const EVIDENCE = ['id_document', 'address'];
const DILIGENCE = ['proof_of_address', 'income_declared', 'source_of_funds'];

/**
 * Required checks of individuals by level of diligence. Each level includes the checks of the level before. This
 * service can establish all of them.
 */
const CHECKS_BY_LEVEL = {
  basic: IDENTITY,
  standard: [...IDENTITY, ...EVIDENCE],
  enhanced: [...IDENTITY, ...EVIDENCE, ...DILIGENCE],
};

const BUSINESS_BASIC = ['registry_active', 'account_protection_clear'];
const BUSINESS_STANDARD = [
  'constitutive_document',
  ...BUSINESS_BASIC,
  'officers_match',
  'ownership_complete',
  'bo_identified',
  'bo_screened',
];

/** Required checks of companies by level of diligence. */
const CHECKS_OF_BUSINESSES_BY_LEVEL = {
  basic: BUSINESS_BASIC,
  standard: BUSINESS_STANDARD,
  enhanced: [...BUSINESS_STANDARD, 'powers_confirmed', 'representatives_verified'],
};

/** All checks that a level may require of a company. The service knows a rule for each. */
export const CHECKS_OF_BUSINESSES: ReadonlySet<string> = new Set(CHECKS_OF_BUSINESSES_BY_LEVEL.enhanced);

/**
 * Further checks that a tenant may require. A person must establish or waive those that the service does not establish
 * yet.
 */
const MORE = [
  'legal_bases_recorded',
  'screening_clear',
  'cpf_status_ok',
  'account_protection_clear',
  'document_ocr_passed',
  'liveness_passed',
  'face_match_passed',
  'adverse_media_clear',
  'senior_approval',
  'registry_active',
  'officers_match',
  'ownership_complete',
  'bo_identified',
  'bo_screened',
  'powers_confirmed',
  'representatives_verified',
];

/** All checks that a level may require. */
export const CHECKS: ReadonlySet<string> = new Set([...CHECKS_BY_LEVEL.enhanced, ...MORE]);

type Wire = components['schemas']['TenantSettings'];

type Sections = Required<Omit<Wire, 'version' | 'updatedAt' | 'updatedBy'>>;
/** All sections of the settings, without read-only members of the platform. */
export type TenantSettings = Omit<Sections, 'decisionPolicy'> & {
  readonly decisionPolicy: Omit<Sections['decisionPolicy'], 'reasonCatalogue'>;
};
export type Section = keyof TenantSettings;
export type SettingsPatch = components['schemas']['TenantSettingsUpdate'];
/** A patch without read-only members of the platform. */
export type OwnPatch = Omit<SettingsPatch, 'decisionPolicy'> & {
  readonly decisionPolicy?: Omit<NonNullable<SettingsPatch['decisionPolicy']>, 'reasonCatalogue'>;
};

/** Queues that apply if the settings of a tenant name none. */
export const defaultQueues = (): TenantSettings['queues'] => defaultSettings.queues;

/** Removes read-only members from a patch that sends back what was read. */
export function ownPatch({ decisionPolicy, ...patch }: SettingsPatch): OwnPatch {
  if (decisionPolicy === undefined) return patch;
  const { reasonCatalogue: _, ...own } = decisionPolicy;
  return { ...patch, decisionPolicy: own };
}

/** Settings with the version that makes changes conditional. */
export interface VersionedSettings {
  readonly settings: TenantSettings;
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: components['schemas']['Actor'] | null;
}

/** Presents the whole document, or one section of it. */
export function settingsToWire(
  { settings, version, updatedAt, updatedBy }: VersionedSettings,
  section?: Section,
): Wire {
  const shown: Sections = {
    ...settings,
    decisionPolicy: { ...settings.decisionPolicy, reasonCatalogue: [...REASON_CATALOGUE] },
  };
  return {
    version,
    updatedAt,
    updatedBy,
    ...(section === undefined ? shown : { [section]: shown[section] }),
  };
}

/** Defaults, strict enough for the law, so that a new tenant can work before it has configured anything. */
export const defaultSettings: TenantSettings = {
  branding: {
    displayName: null,
    logoDocumentId: null,
    primaryColor: '#0b5fff',
    supportEmail: null,
    locale: 'en',
  },
  decisionPolicy: {
    autoApprove: false,
    fourEyes: {
      levels: ['high'],
      onPep: true,
      onConfirmedHit: true,
      onNotScreened: true,
      onOverride: true,
      amountAbove: null,
    },
    minimumAge: 18,
    requiredChecks: CHECKS_BY_LEVEL,
    requiredChecksOfBusinesses: CHECKS_OF_BUSINESSES_BY_LEVEL,
    validityByRisk: { low: 60, medium: 36, high: 12 },
    validityMonths: 36,
    resubmissionLimit: 3,
    informationDueDays: 15,
    reasonCodes: [...SHIPPED_REASON_CODES],
  },
  ownership: { percent: 25, comparator: 'gte', lowerFor: [{ riskLevel: 'high', percent: 10 }] },
  screening: {
    defaultLists: ['un-csnu', 'ofac-sdn', 'cgu-pep'],
    profile: SHIPPED_PROFILE,
    threshold: SHIPPED_PROFILE.sanctions.person.alert,
    staleBlocksApproval: true,
  },
  retention: {
    customerYears: 10,
    rejectedYears: 5,
    biometricDays: 90,
    auditYears: 10,
  },
  security: {
    mfaRequired: false,
    // Minimum for everyone. If the password is the only factor, fifteen characters are required whatever is set here.
    passwordMinLength: 12,
    sessionHours: 720,
    idleMinutes: 20_160,
    allowedEmailDomains: [],
    allowPlatformImpersonation: false,
    inactivityDays: 90,
  },
  // A business day counts as 24 hours, because calendars of holidays are the tenant's own.
  queues: [
    { key: 'critical', name: 'Critical', slaHours: 4 },
    { key: 'high', name: 'High', slaHours: 24 },
    { key: 'normal', name: 'Normal', slaHours: 72 },
    { key: 'low', name: 'Low', slaHours: 168 },
  ],
  cases: { checklists: [], qualityReviews: [], maxOpenPerMember: null },
  customActTypes: [],
  // Payloads are full, because the tenant is the participant that the directory's documents are meant for.
  fundsRecovery: { rawPayload: 'full', receivesReports: false, deadlineNoticeHours: [] },
  risk: { facts: [] },
  reports: SHIPPED_REPORT_SETTINGS,
  // What the service can do by itself it does; for the rest, it waits for a connection that the operator makes. It
  // judges liveness with low assurance only, so that a tenant must choose that.
  providers: {
    documentOcr: { primary: 'embedded', fallback: null },
    faceMatch: { primary: 'embedded', fallback: null },
    liveness: { primary: 'connector', fallback: null },
    registry: { primary: 'connector' },
  },
  workflows: { application: null },
};
