/**
 * The words of the settings in English, from which the type of both languages is made. Used by settings-words.ts and
 * the sections.
 */
import type { Schemas } from '../../core/api.ts';

/** The settings in English. */
export const english = {
  yes: 'Yes',
  no: 'No',
  enterNumber: 'Enter a number.',
  enterColour: 'Enter a colour.',
  enterValue: 'Enter a value.',
  check: 'Check',
  pick: (label: string) => `Pick: ${label}`,
  risk: { low: 'Low', medium: 'Medium', high: 'High' },
  levels: { basic: 'Basic', standard: 'Standard', enhanced: 'Enhanced' },
  checks: {
    identity_data: 'Identity data is complete',
    tax_id_valid: 'Tax number is valid',
    legal_bases_recorded: 'Legal bases are recorded',
    screening_clear: 'Screening is clear',
    cpf_status_ok: 'CPF is regular',
    account_protection_clear: 'No protection against new accounts',
    id_document: 'Identity document',
    document_ocr_passed: 'Document was read',
    liveness_passed: 'Liveness',
    face_match_passed: 'Face matches the document',
    address: 'Address',
    proof_of_address: 'Proof of address',
    income_declared: 'Income is declared',
    source_of_funds: 'Source of funds',
    adverse_media_clear: 'No adverse media',
    senior_approval: 'Approval by a senior',
    registry_active: 'Company is active',
    officers_match: 'Officers match the registry',
    ownership_complete: 'Ownership is complete',
    bo_identified: 'Beneficial owners are identified',
    bo_screened: 'Beneficial owners are screened',
    powers_confirmed: 'Powers are confirmed',
    representatives_verified: 'Representatives are verified',
  },
  sections: {
    branding: {
      title: 'Branding',
      explanation: 'The language of mails, and what your own pages show applicants: the service has none.',
      displayName: 'Name that applicants see',
      primaryColor: 'Main colour',
      colourHint: 'As #rrggbb. White text must be readable on it.',
      supportEmail: 'Where applicants write',
      locale: 'Language',
      en: 'English',
      pt: 'Portuguese (Brazil)',
      es: 'Spanish',
      logo: 'Logo',
      logoHint: 'The id of a picture that was uploaded as a document of type “other”.',
    },
    decisionPolicy: {
      title: 'Decision policy',
      explanation: 'How decisions about applications are made. The checklist asks that a compliance officer saves it.',
      autoApprove: 'Approve clear cases automatically',
      autoApproveHint: 'Cases of low risk without any finding, with every check that their level asks for.',
      levels: 'Two people decide at these levels of risk',
      onPep: 'Two people for politically exposed persons',
      onPepHint: 'Whatever the level of risk.',
      onConfirmedHit: 'Two people after a confirmed hit',
      onConfirmedHitHint: 'On a screening list.',
      onNotScreened: 'Two people to approve without a screening',
      onNotScreenedHint: 'Where no screening covers the applicant as they are now.',
      onOverride: 'Two people when a result is overridden',
      onOverrideHint: 'Of an automatic check. To come; what you set is kept until then.',
      amountAbove: 'Two people above an amount',
      amountHint: 'Empty means that the amount does not matter. To come; what you set is kept until then.',
      requiredChecks: 'Checks that each level of diligence asks for',
      minimumAge: 'Least age of applicants, in years',
      validity: (risk: string) => `An approval holds for, in months (risk: ${risk.toLowerCase()})`,
      informationDueDays: 'Applicants answer within, in days',
      resubmissionLimit: 'How often they may answer',
      reasonCodes: 'Reasons that decisions may give',
      onePerLine: 'One a line.',
    },
    ownership: {
      title: 'Beneficial owners',
      explanation: 'From which share on somebody counts as one.',
      toCome: 'Companies are to come; what you set is kept until then.',
      percent: 'Share, in percent',
      comparator: 'Counted',
      gte: 'From this share on',
      gt: 'Above this share',
      lowerFor: 'Lower shares at levels of risk',
      riskLevel: 'Level of risk',
      add: 'Add a lower share',
      row: (number: number) => `lower share ${number}`,
      remove: (number: number) => `Remove lower share ${number}`,
      item: (percent: number, risk: string) => `${percent} % at risk: ${risk}`,
    },
    screening: {
      title: 'Screening',
      explanation: 'How names are compared with lists.',
      profile: 'Scores of hits',
      profileHint:
        'From 0.5 to 1. Below the first score nothing is a hit; from it on a hit is weak, possible or strong. ' +
        'Hits that were decided stay decided.',
      kind: 'On the list: who is screened',
      kindsOfList: { sanctions: 'Sanctions', pep: 'Politically exposed', other: 'Other lists' },
      kindsOfSubject: { person: 'people', organisation: 'organisations' },
      lines: { alert: 'A hit from', review: 'Possible from', strong: 'Strong from' },
      stale: 'An outdated list blocks approvals',
      staleHint: 'If the law demands the list.',
      lists: 'Lists that are always screened',
      listsHint: 'One a line, by their codes: un-csnu, for example.',
    },
    retention: {
      title: 'Retention',
      explanation: 'How long records are kept. The law sets the least.',
      customerYears: 'Customers, years after the end of the relationship',
      rejectedYears: 'Rejected applicants, years',
      biometricDays: 'Selfies and videos, days after the decision',
      biometricHint: 'Their files are erased then; hash and status stay.',
      auditYears: 'Audit log, years',
      auditHint: 'To come: nothing deletes events yet.',
    },
    security: {
      title: 'Sign-in',
      explanation: 'How people sign in.',
      mfaRequired: 'Everybody needs a second factor',
      mfaHint: 'Who has none enrols one before anything else.',
      passwordMinLength: 'Least length of passwords',
      sessionHours: 'A login lasts at most, in hours',
      idleMinutes: 'It ends when unused for, in minutes',
      inactivityDays: 'Users are locked after, in days without a sign-in',
      emptyNever: 'Empty means never.',
      never: 'Never',
      allowedEmailDomains: 'Domains that may be invited',
      domainsHint: 'One a line. Empty means any.',
      any: 'Any',
    },
    queues: {
      title: 'Queues',
      explanation: 'Where cases wait, and for how long.',
      toCome: 'Cases are to come; what you set is kept until then.',
      label: 'Queues of cases',
      key: 'Key',
      name: 'Name',
      slaHours: 'Resolved within, in hours',
      add: 'Add a queue',
      row: (number: number) => `queue ${number}`,
      remove: (number: number) => `Remove queue ${number}`,
      item: (name: string, key: string, hours: number) => `${name} (${key}), ${hours} hours`,
    },
    customActTypes: {
      title: 'Legal acts',
      explanation: 'Kinds of legal acts of your own, beside those that the platform knows.',
      toCome: 'Powers of representatives are to come; what you set is kept until then.',
      label: 'Kinds of acts',
      key: 'Key',
      name: 'Name',
      add: 'Add a kind',
      row: (number: number) => `kind ${number}`,
      remove: (number: number) => `Remove kind ${number}`,
    },
    fundsRecovery: {
      title: 'Funds recovery',
      explanation: 'What the feed of recoveries shows of persons, and how often it asks to be read.',
      rawPayload: 'Documents of the directory',
      full: 'Complete',
      masked: 'Persons, accounts and free texts masked',
      receivesReports: 'We receive infraction reports',
      receivesReportsHint: 'The feed asks to be read each minute. It does so by itself from the first report on.',
      deadlineNoticeHours: 'Announce deadlines so many hours before',
      deadlineNoticeHoursHint: 'One a line, up to five, from 1 to 144. Empty means never.',
    },
    removeShort: 'Remove',
  },
};

/** Words of the settings in any language. */
export interface SettingsWords {
  readonly yes: string;
  readonly no: string;
  readonly enterNumber: string;
  readonly enterColour: string;
  readonly enterValue: string;
  readonly check: string;
  readonly pick: (label: string) => string;
  readonly risk: Readonly<Record<Schemas['RiskLevelName'], string>>;
  readonly levels: Readonly<Record<keyof Schemas['RequiredChecks'], string>>;
  /** Checks of people and companies, by code. */
  readonly checks: Readonly<Record<string, string>>;
  readonly sections: typeof english.sections;
}
