import type { Settings } from './document.ts';
import { CHECKS_BY_LEVEL, REASON_CODES } from './vocabulary.ts';

/**
 * What holds where a tenant has set nothing: strict enough for the law and for a first day, so that nobody starts with an
 * empty shell.
 */
export const defaultSettings: Settings = {
  branding: { displayName: null, logoDocumentId: null, primaryColor: '#0b5fff', supportEmail: null, locale: 'en' },
  decisionPolicy: {
    autoApprove: false,
    fourEyes: { levels: ['high'], onPep: true, onConfirmedHit: true, onOverride: true, amountAbove: null },
    minimumAge: 18,
    requiredChecks: CHECKS_BY_LEVEL,
    validityMonths: 24,
    resubmissionLimit: 3,
    informationDueDays: 15,
    reasonCodes: [...REASON_CODES],
  },
  ownership: { percent: 25, comparator: 'gte', lowerFor: [{ riskLevel: 'high', percent: 10 }] },
  screening: { defaultLists: ['un-csnu', 'ofac-sdn', 'cgu-pep'], threshold: 0.82, staleBlocksApproval: true },
  retention: { customerYears: 10, rejectedYears: 5, biometricDays: 90, auditYears: 10 },
  security: {
    mfaRequired: false,
    // For everybody. Where the password is the only factor, signing in asks for fifteen whatever stands here.
    passwordMinLength: 12,
    sessionHours: 720,
    idleMinutes: 20_160,
    allowedEmailDomains: [],
    allowPlatformImpersonation: false,
    inactivityDays: 90,
  },
  // A business day is counted as 24 hours: calendars of holidays are the tenant's own.
  queues: [
    { key: 'critical', name: 'Critical', slaHours: 4 },
    { key: 'high', name: 'High', slaHours: 24 },
    { key: 'normal', name: 'Normal', slaHours: 72 },
    { key: 'low', name: 'Low', slaHours: 168 },
  ],
  customActTypes: [],
  // The tenant is the participant that the directory's documents are meant for.
  fundsRecovery: { rawPayload: 'full' },
};
