/**
 * The list of all modules: the only place where handlers, dues, tasks, jobs and listeners are registered. Read by
 * app.ts, start.ts and periodic-jobs.ts. A module that is not listed here does not exist for the service; a test finds
 * it.
 */
import { accountsModule } from './modules/accounts/index.ts';
import { apiKeysModule } from './modules/api-keys/index.ts';
import { applicationsModule } from './modules/applications/index.ts';
import { auditLogModule } from './modules/audit-log/index.ts';
import { automaticApprovalModule } from './modules/automatic-approval/index.ts';
import { businessPacksModule } from './modules/business-packs/index.ts';
import { businessPartiesModule } from './modules/business-parties/index.ts';
import { businessesModule } from './modules/businesses/index.ts';
import { casesModule } from './modules/cases/index.ts';
import { companyRegistryModule } from './modules/company-registry/index.ts';
import { decisionsModule } from './modules/decisions/index.ts';
import { definitionsModule } from './modules/definitions/index.ts';
import { documentsModule } from './modules/documents/index.ts';
import { invitationsModule } from './modules/invitations/index.ts';
import { listUploadsModule } from './modules/list-uploads/index.ts';
import { loginThrottleModule } from './modules/login-throttle/index.ts';
import type { AuthenticationDependencies } from './modules/login-throttle/index.ts';
import { membersModule } from './modules/members/index.ts';
import { monitoringModule } from './modules/monitoring/index.ts';
import { oauthTokensModule } from './modules/oauth-tokens/index.ts';
import { onboardingChecklistModule } from './modules/onboarding-checklist/index.ts';
import { ownListsModule } from './modules/own-lists/index.ts';
import { ownerThresholdModule } from './modules/owner-threshold/index.ts';
import { ownershipModule } from './modules/ownership/index.ts';
import { passwordsModule } from './modules/passwords/index.ts';
import { powersModule } from './modules/powers/index.ts';
import { recoveriesModule } from './modules/recoveries/index.ts';
import { recoveryFeedModule } from './modules/recovery-feed/index.ts';
import { recoveryIngestionModule } from './modules/recovery-ingestion/index.ts';
import type { SandboxFollower } from './modules/recovery-ingestion/index.ts';
import { recoveryRetentionModule } from './modules/recovery-retention/index.ts';
import { recoveryRunsModule } from './modules/recovery-runs/index.ts';
import { reportsModule } from './modules/reports/index.ts';
import { riskModule } from './modules/risk/index.ts';
import { sandboxClockModule } from './modules/sandbox-clock/index.ts';
import { sandboxModule } from './modules/sandbox/index.ts';
import { screeningsModule } from './modules/screenings/index.ts';
import { secondFactorModule } from './modules/second-factor/index.ts';
import { secondReviewModule } from './modules/second-review/index.ts';
import { sessionsModule } from './modules/sessions/index.ts';
import { signInModule } from './modules/sign-in/index.ts';
import { subjectEventsModule, type SubjectListener } from './modules/subject-events/index.ts';
import { subjectKeysModule } from './modules/subject-keys/index.ts';
import { subscriptionsModule } from './modules/subscriptions/index.ts';
import { tenantSettingsModule } from './modules/tenant-settings/index.ts';
import { tenantsModule } from './modules/tenants/index.ts';
import { verificationsModule } from './modules/verifications/index.ts';
import { watchListsModule } from './modules/watch-lists/index.ts';
import { workModule } from './modules/work/index.ts';
import { workflowsModule } from './modules/workflows/index.ts';
import type { AppServices } from './services.ts';
import type { Due } from './tasks/due.ts';
import type { Job } from './tasks/job.ts';
import type { Module } from './tasks/module.ts';
import type { TaskKind } from './tasks/task.ts';
import type { WorkEntry } from './tasks/work.ts';

/**
 * Objects that handlers may use in addition to the services, and that are created from services when the routes are
 * bound.
 */
export interface ModuleServices extends AppServices {
  readonly authentication: AuthenticationDependencies;
  readonly follower: SandboxFollower;
  readonly dues: readonly Due[];
  readonly work: readonly WorkEntry[];
}

/**
 * Every module of the service. This list is the only registration of their handlers, dues, tasks, periodic jobs,
 * listeners and kinds of work.
 */
export const modules = [
  accountsModule,
  apiKeysModule,
  applicationsModule,
  auditLogModule,
  automaticApprovalModule,
  businessPacksModule,
  businessPartiesModule,
  businessesModule,
  casesModule,
  companyRegistryModule,
  decisionsModule,
  definitionsModule,
  documentsModule,
  invitationsModule,
  listUploadsModule,
  loginThrottleModule,
  membersModule,
  monitoringModule,
  oauthTokensModule,
  onboardingChecklistModule,
  ownListsModule,
  ownerThresholdModule,
  ownershipModule,
  passwordsModule,
  powersModule,
  recoveriesModule,
  recoveryFeedModule,
  recoveryIngestionModule,
  recoveryRetentionModule,
  recoveryRunsModule,
  reportsModule,
  riskModule,
  sandboxModule,
  sandboxClockModule,
  screeningsModule,
  secondFactorModule,
  secondReviewModule,
  sessionsModule,
  signInModule,
  subjectEventsModule,
  subjectKeysModule,
  subscriptionsModule,
  tenantSettingsModule,
  tenantsModule,
  verificationsModule,
  watchListsModule,
  workModule,
  workflowsModule,
] as const satisfies readonly Module<AppServices, ModuleServices, SubjectListener>[];

const all: readonly Module<AppServices, ModuleServices, SubjectListener>[] = modules;

/** Time-driven changes of all modules. */
export const dues: readonly Due[] = all.flatMap(({ dues: ofModule = [] }) => ofModule);

/** Background tasks of all modules. */
export const taskKinds: readonly TaskKind<AppServices>[] = all.flatMap(({ tasks = [] }) => tasks);

/** Periodic jobs of all modules. */
export const moduleJobs: readonly Job<AppServices>[] = all.flatMap(({ jobs = [] }) => jobs);

/** Listeners of all modules. */
export const listeners: readonly SubjectListener[] = all.flatMap(({ listeners: ofModule = [] }) => ofModule);

/** Kinds of work of all modules. */
export const work: readonly WorkEntry[] = all.flatMap(({ work: ofModule = [] }) => ofModule);

type HandlersOf<M> = M extends { readonly handlers: (services: never) => infer H } ? H : never;
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

/**
 * Returns the handlers of all modules. If an operation of the contract has no handler, the registration does not
 * compile.
 */
export function handlersOf(services: ModuleServices): UnionToIntersection<HandlersOf<(typeof modules)[number]>> {
  return Object.assign({}, ...all.map(({ handlers }) => handlers?.(services) ?? {}));
}
