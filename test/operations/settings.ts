/** How tests call the operations on settings. Part of the table in test/operations.ts. */
import type { Calls } from './call.ts';

/** Returns a profile with the same thresholds for every kind of list and subject. */
const profileOf = (lines: { readonly alert: number; readonly review: number; readonly strong: number }) => {
  const ofSubjects = { person: lines, organisation: lines };
  return { sanctions: ofSubjects, pep: ofSubjects, other: ofSubjects };
};

/** Calls about the settings of a tenant. */
export const settingsCalls: Calls<'getSettings' | 'updateSettings'> = {
  getSettings: {},
  updateSettings: {
    // Uses a new tenant, because the setting would affect other tests, and weakening the protection needs a second
    // factor.
    arrange: async (service) => {
      const tenant = await service.tenant();
      return { tenant, as: await tenant.user('owner', { secondFactor: true }), headers: { 'If-Match': '"1"' } };
    },
    body: () => ({
      branding: {
        displayName: 'Aurora',
        primaryColor: '#112233',
        supportEmail: 'help@example.com',
        locale: 'pt-BR',
      },
      decisionPolicy: {
        autoApprove: true,
        minimumAge: 19,
        validityByRisk: { low: 48, medium: 24, high: 6 },
        validityMonths: 24,
        resubmissionLimit: 4,
        informationDueDays: 10,
        reasonCodes: ['fraud'],
        fourEyes: {
          levels: ['high'],
          onPep: true,
          onConfirmedHit: true,
          onNotScreened: true,
          onOverride: true,
          amountAbove: { amount: 100_000, currency: 'BRL' },
        },
        requiredChecks: {
          basic: ['tax_id_valid'],
          standard: ['tax_id_valid', 'id_document'],
          enhanced: ['id_document', 'tax_id_valid', 'address'],
        },
        requiredChecksOfBusinesses: {
          basic: ['registry_active'],
          standard: ['registry_active', 'bo_screened'],
          enhanced: ['registry_active', 'bo_screened', 'powers_confirmed'],
        },
      },
      ownership: { percent: 24, comparator: 'gte', lowerFor: [{ riskLevel: 'high', percent: 12 }] },
      screening: {
        defaultLists: ['un-csnu'],
        profile: profileOf({ alert: 0.85, review: 0.9, strong: 0.95 }),
        threshold: 0.85,
        staleBlocksApproval: true,
      },
      retention: {
        customerYears: 12,
        rejectedYears: 12,
        biometricDays: 80,
        auditYears: 12,
      },
      security: {
        mfaRequired: true,
        passwordMinLength: 16,
        sessionHours: 8,
        idleMinutes: 15,
        allowedEmailDomains: ['example.com'],
        allowPlatformImpersonation: false,
        inactivityDays: 90,
      },
      queues: [{ key: 'first', name: 'First look', slaHours: 24 }],
      cases: {
        checklists: [
          { type: 'ad_hoc', items: [{ key: 'funds', label: 'Look at the source of funds', required: true }] },
        ],
        qualityReviews: [{ type: 'screening_hit', percent: 5 }],
        maxOpenPerMember: 30,
      },
      customActTypes: [{ key: 'merger', label: 'Merger' }],
      fundsRecovery: { rawPayload: 'masked', receivesReports: true, deadlineNoticeHours: [48, 24] },
      risk: { facts: [{ name: 'segment', type: 'string', description: 'The segment of the customer.' }] },
      reports: {
        selectionDays: 30,
        analysisDays: 40,
        suspiciousBusinessDays: 2,
        cashBusinessDays: 3,
        nonOccurrenceBusinessDays: 9,
        narrativeTemplate: 'Caso {{case.number}}',
        submissionFormat: 'csv',
        submissionTemplate: '{{report.id}},{{report.narrative}}',
      },
      providers: {
        documentOcr: { primary: 'connector', fallback: 'embedded' },
        faceMatch: { primary: 'connector', fallback: 'embedded' },
        liveness: { primary: 'embedded', fallback: 'connector' },
        registry: { primary: null },
      },
    }),
    otherBody: () => ({
      branding: {
        displayName: 'Boreal',
        primaryColor: '#005533',
        supportEmail: 'care@example.com',
        locale: 'es',
      },
      decisionPolicy: {
        autoApprove: false,
        minimumAge: 21,
        validityByRisk: { low: 30, medium: 20, high: 10 },
        validityMonths: 20,
        resubmissionLimit: 2,
        informationDueDays: 20,
        reasonCodes: ['duplicate'],
        fourEyes: {
          levels: ['medium', 'high'],
          onPep: false,
          onConfirmedHit: false,
          onNotScreened: false,
          onOverride: false,
          amountAbove: { amount: 200_000, currency: 'EUR' },
        },
        requiredChecks: { basic: ['id_document'], standard: ['id_document'], enhanced: ['id_document', 'address'] },
        requiredChecksOfBusinesses: {
          basic: ['bo_identified'],
          standard: ['bo_identified'],
          enhanced: ['bo_identified', 'officers_match'],
        },
      },
      ownership: { percent: 20, comparator: 'gt', lowerFor: [{ riskLevel: 'medium', percent: 15 }] },
      screening: {
        defaultLists: ['un-csnu', 'eu-fsf'],
        profile: profileOf({ alert: 0.7, review: 0.75, strong: 0.8 }),
        threshold: 0.7,
        staleBlocksApproval: false,
      },
      retention: {
        customerYears: 11,
        rejectedYears: 11,
        biometricDays: 60,
        auditYears: 11,
      },
      security: {
        mfaRequired: false,
        passwordMinLength: 14,
        sessionHours: 10,
        idleMinutes: 20,
        allowedEmailDomains: ['example.org'],
        allowPlatformImpersonation: false,
        inactivityDays: 60,
      },
      queues: [{ key: 'second', name: 'Second look', slaHours: 48 }],
      cases: {
        checklists: [
          { type: 'risk_increase', items: [{ key: 'income', label: 'Ask for the income', required: false }] },
        ],
        qualityReviews: [{ type: 'ad_hoc', percent: 10 }],
        maxOpenPerMember: null,
      },
      customActTypes: [{ key: 'demerger', label: 'Demerger' }],
      fundsRecovery: { rawPayload: 'full', receivesReports: false, deadlineNoticeHours: [12] },
      risk: { facts: [{ name: 'turnover', type: 'number', description: 'The turnover of a month.' }] },
      reports: {
        selectionDays: 31,
        analysisDays: 41,
        suspiciousBusinessDays: 4,
        cashBusinessDays: 5,
        nonOccurrenceBusinessDays: 8,
        narrativeTemplate: 'Cliente\n{{subject.name}}',
        submissionFormat: 'text',
        submissionTemplate: '{{#parties}}{{party.name}}\n{{/parties}}',
      },
      providers: {
        documentOcr: { primary: 'embedded', fallback: 'connector' },
        faceMatch: { primary: null, fallback: 'connector' },
        liveness: { primary: null, fallback: 'embedded' },
        registry: { primary: 'connector' },
      },
    }),
    except: {
      '/workflows': 'it names an active process, which a test of its own makes',
      '/branding/logoDocumentId': 'there is no operation yet that uploads a logo',
      '/security/allowPlatformImpersonation': 'it is always false',
      '/decisionPolicy/reasonCatalogue': 'it may only come back as it was read',
    },
  },
};
