/**
 * The steps of the checklist, and reading their evidence with a record of what has changed. Called by the handlers.
 * Reads without a lock as long as nothing changed; then locks and reads again, so that each change is recorded once.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Environment } from '../../contract/operation.ts';
import { changesIn, type Observation, type Step, type StepContext } from './checklist.ts';
import {
  apiKeyCreated,
  apiKeysRestricted,
  auditLogVerified,
  brandingSet,
  mandatoryListsFresh,
  ownerMfa,
  sandboxApplication,
  sandboxOutcomes,
  sandboxPowers,
  secondPerson,
  sectionReviewed,
} from './evidence-store.ts';
import { complete, findRows, findTenant, lockSteps, regress } from './store.ts';

/**
 * Steps in a sensible order. The evidence of each comes from the service; later groups of features add their own steps.
 */
export const STEPS: readonly Step[] = [
  {
    key: 'owner_mfa',
    title: 'Protect an owner with a second factor',
    required: true,
    after: [],
    howTo: '/account',
    doing: { operationId: 'enrollTotp', roles: ['owner'] },
    evidence: ownerMfa,
  },
  {
    key: 'second_person',
    title: 'Have a compliance officer beside somebody else',
    required: true,
    after: [],
    howTo: '/team',
    doing: { operationId: 'createInvitation' },
    evidence: secondPerson,
  },
  {
    key: 'branding',
    title: 'Name and colour that applicants see',
    required: false,
    after: [],
    howTo: '/settings?section=branding',
    doing: { operationId: 'updateSettings', roles: ['owner', 'admin'] },
    evidence: brandingSet,
  },
  {
    key: 'decision_policy_reviewed',
    title: 'Let a compliance officer set the decision policy',
    required: true,
    after: ['second_person'],
    howTo: '/settings?section=decisionPolicy',
    doing: { operationId: 'updateSettings', roles: ['compliance_officer'] },
    evidence: sectionReviewed('decisionPolicy', 'compliance officer'),
  },
  {
    key: 'retention_policy',
    title: 'Set how long records are kept',
    required: true,
    after: [],
    howTo: '/settings?section=retention',
    doing: { operationId: 'updateSettings' },
    evidence: sectionReviewed('retention', 'anybody'),
  },
  {
    key: 'security_policy',
    title: 'Set how people sign in',
    required: false,
    after: [],
    howTo: '/settings?section=security',
    doing: { operationId: 'updateSettings', roles: ['owner', 'admin'] },
    evidence: sectionReviewed('security', 'anybody'),
  },
  {
    key: 'api_key_created',
    title: 'Create a live API key',
    required: false,
    after: [],
    howTo: '/keys',
    doing: { operationId: 'createApiKey' },
    evidence: apiKeyCreated,
  },
  {
    key: 'api_key_restricted',
    title: 'Give every live API key an address list or an expiry',
    required: false,
    after: ['api_key_created'],
    howTo: '/keys',
    doing: { operationId: 'updateApiKey' },
    evidence: apiKeysRestricted,
  },
  {
    key: 'sandbox_application',
    title: 'Submit an application in the sandbox',
    required: true,
    after: [],
    howTo: '/applications',
    doing: { operationId: 'submitApplication' },
    evidence: sandboxApplication,
  },
  {
    key: 'sandbox_happy_path',
    title: 'Screen and approve an application in the sandbox',
    required: false,
    after: ['sandbox_application'],
    howTo: '/applications',
    doing: { operationId: 'createDecision' },
    evidence: sandboxOutcomes('approved'),
  },
  {
    key: 'sandbox_negative_path',
    title: 'Reject an application in the sandbox, and ask for information about one',
    required: false,
    after: ['sandbox_application'],
    howTo: '/applications',
    doing: { operationId: 'createDecision' },
    evidence: sandboxOutcomes('rejected', 'needs_information'),
  },
  {
    key: 'sandbox_powers_path',
    title: 'Confirm a power of a company in the sandbox, and ask who may sign',
    required: false,
    after: [],
    howTo: '/businesses',
    doing: { operationId: 'createSigningEvaluation' },
    evidence: sandboxPowers,
  },
  {
    // Only the operator of the service imports lists; no member of a tenant can.
    key: 'screening_lists_fresh',
    title: 'Have the watch lists that the law demands, as they are now',
    required: false,
    after: [],
    howTo: '/screenings',
    doing: { operationId: 'listScreeningLists', roles: [] },
    evidence: mandatoryListsFresh,
  },
  {
    key: 'audit_verified',
    title: 'Verify the audit log',
    required: true,
    after: [],
    howTo: '/audit',
    doing: { operationId: 'verifyAuditLog' },
    evidence: auditLogVerified,
  },
];

export interface ObservationContext extends StepContext {
  readonly environment: Environment;
  readonly requestId: string;
}

/**
 * The actor is the system, because reading the checklist completes no step: the evidence is
 * recorded under its own actor.
 */
const ACTOR = {
  type: 'system',
  id: 'onboarding',
  display: 'Onboarding checklist',
  impersonatorId: null,
} as const;

/**
 * Reads the evidence and records the steps that changed. Reading takes no lock as long as nothing has changed;
 * otherwise readers take a lock and read again, so that only one of many records a change.
 */
export async function observe(ctx: ObservationContext): Promise<Observation> {
  const seen = await readObservation(ctx);
  if (isRemembered(seen)) return seen;
  await lockSteps(ctx.tx, ctx.tenantId);
  const now = await readObservation(ctx);
  if (isRemembered(now)) return now;
  record(ctx, now);
  return { ...now, rows: await rowsOf(ctx) };
}

async function readObservation(ctx: ObservationContext): Promise<Observation> {
  const [[tenant], rows, found] = await Promise.all([
    ctx.tx.run(findTenant, { tenantId: ctx.tenantId }),
    rowsOf(ctx),
    Promise.all(STEPS.map(async (step) => [step.key, await step.evidence(ctx)] as const)),
  ]);
  return { tenant: tenant!, rows, evidence: new Map(found) };
}

async function rowsOf({ tx, tenantId }: ObservationContext): Promise<Observation['rows']> {
  return new Map((await tx.run(findRows, { tenantId })).map((row) => [row.stepKey, row]));
}

function isRemembered(observation: Observation): boolean {
  const { completed, regressed } = changesIn(STEPS, observation);
  return completed.length === 0 && regressed.length === 0;
}

function record({ tx, tenantId, now, environment, requestId }: ObservationContext, observation: Observation): void {
  const { completed, regressed } = changesIn(STEPS, observation);
  const event = {
    occurredAt: now.toISOString(),
    environment,
    actor: ACTOR,
    outcome: 'success',
    requestId,
  } as const;
  for (const step of completed) {
    void tx.run(complete, { tenantId, step, now });
    const evidence = observation.evidence.get(step) ?? [];
    appendAudit(tx, {
      ...event,
      action: 'onboarding.step_completed',
      resource: { type: 'onboarding_step', id: step },
      changes: [{ op: 'add', path: '/evidence', value: evidence.map(({ type, id }) => ({ type, id })) }],
    });
  }
  for (const step of regressed) {
    void tx.run(regress, { tenantId, step, now });
    appendAudit(tx, { ...event, action: 'onboarding.step_regressed', resource: { type: 'onboarding_step', id: step } });
  }
}
