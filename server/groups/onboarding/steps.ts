import { auditLogVerified, brandingSet, sandboxApplication, sectionReviewed } from './evidence-of-history.ts';
import { apiKeyCreated, apiKeysRestricted } from './evidence-of-keys.ts';
import { ownerMfa, secondPerson } from './evidence-of-people.ts';
import type { Step } from './step.ts';

/** In a good order. Each has a source of truth in the service; what later groups bring adds its own. */
export const STEPS: readonly Step[] = [
  { key: 'owner_mfa', title: 'Protect an owner with a second factor', required: true, after: [], howTo: '/account', evidence: ownerMfa },
  { key: 'second_person', title: 'Have a compliance officer beside somebody else', required: true, after: [], howTo: '/team', evidence: secondPerson },
  { key: 'branding', title: 'Name and colour that applicants see', required: false, after: [], howTo: '/settings', evidence: brandingSet },
  {
    key: 'decision_policy_reviewed', title: 'Let a compliance officer set the decision policy', required: true, after: ['second_person'], howTo: '/settings',
    evidence: sectionReviewed('decisionPolicy', 'compliance officer'),
  },
  { key: 'retention_policy', title: 'Set how long records are kept', required: true, after: [], howTo: '/settings', evidence: sectionReviewed('retention', 'anybody') },
  { key: 'security_policy', title: 'Set how people sign in', required: false, after: [], howTo: '/settings', evidence: sectionReviewed('security', 'anybody') },
  { key: 'api_key_created', title: 'Create a live API key', required: false, after: [], howTo: '/keys', evidence: apiKeyCreated },
  {
    key: 'api_key_restricted', title: 'Give every live API key an address list or an expiry', required: false, after: ['api_key_created'], howTo: '/keys',
    evidence: apiKeysRestricted,
  },
  { key: 'sandbox_application', title: 'Submit an application in the sandbox', required: true, after: [], howTo: '/sandbox', evidence: sandboxApplication },
  { key: 'audit_verified', title: 'Verify the audit log', required: true, after: [], howTo: '/audit', evidence: auditLogVerified },
];
