/** The screening lists that the platform carries or has importers for. */
export const SCREENING_LISTS: ReadonlySet<string> = new Set([
  'un-csnu', 'ofac-sdn', 'ofac-consolidated', 'us-csl', 'eu-fsf', 'uk-ofsi', 'cgu-pep',
]);

const IDENTITY = ['identity_data', 'tax_id_valid', 'legal_bases_recorded', 'screening_clear', 'cpf_status_ok', 'account_protection_clear'];
const EVIDENCE = ['id_document', 'document_ocr_passed', 'liveness_passed', 'face_match_passed', 'address'];
const DILIGENCE = ['proof_of_address', 'income_declared', 'source_of_funds', 'adverse_media_clear', 'senior_approval'];
const BUSINESS = [
  'registry_active', 'officers_match', 'ownership_complete', 'bo_identified', 'bo_screened', 'powers_confirmed', 'representatives_verified',
];

/** Checks of individuals by level of diligence: each level asks for those of the one before it too. */
export const CHECKS_BY_LEVEL = {
  basic: IDENTITY,
  standard: [...IDENTITY, ...EVIDENCE],
  enhanced: [...IDENTITY, ...EVIDENCE, ...DILIGENCE],
};

/** Every check that a level may ask for. One that nobody performs could never be met. */
export const CHECKS: ReadonlySet<string> = new Set([...CHECKS_BY_LEVEL.enhanced, ...BUSINESS]);

/** Reasons that a decision may give, until a tenant has a list of its own. */
export const REASON_CODES: readonly string[] = [
  'identity_confirmed', 'low_risk', 'enhanced_diligence_satisfied',
  'document_fraud', 'document_unreadable', 'document_expired', 'identity_mismatch', 'identity_conflict', 'face_mismatch', 'liveness_failed',
  'underage', 'duplicate', 'sanctions_match', 'pep_not_accepted', 'adverse_information', 'source_of_funds_unproven', 'account_protection_active',
  'business_inactive', 'ownership_opaque', 'powers_unproven', 'applicant_unresponsive', 'policy_exclusion', 'other',
];
