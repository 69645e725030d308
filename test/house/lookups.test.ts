/** Tests that handlers find records by lookups only. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = globSync('server/modules/**/*.ts', { cwd: ROOT }).filter(
  (path) => !/store\.ts$|\.test\.ts$|\/testing\//.test(path),
);
const isLookup = (path: string): boolean => path.endsWith('/lookup.ts');

/** Functions that read the rows of a lookup in another form, for work without a caller. */
const OTHER_FORMS = ['findReadable', 'findScreening'];

/** Functions of stores that find or lock a record for a lookup. */
const OWNED = [
  ...new Set([
    ...OTHER_FORMS,
    ...files
      .filter(isLookup)
      .flatMap((path) => [...read(path).matchAll(/^import ([^;]*) from '[^']*store\.ts';/gm)])
      .flatMap(([, names]) => names!.match(/\b(?:find|lock)\w+/g) ?? []),
  ]),
];

/** Calls of these functions outside of lookups, each with the reason why no lookup is possible or needed. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/modules/applications/decisions/automatic-approval.ts lockApplication': 'a task has no caller',
  'server/modules/applications/evidence/application-documents.ts findDocument':
    'the application is looked up with it; a document without its file may be removed',
  'server/modules/applications/evidence/application-documents.ts lockApplication':
    'the target in the sandbox may be a document, and its environment is compared before',
  'server/modules/applications/evidence/consents.ts findDocument':
    'the body refers to a document of the application that is looked up with it',
  'server/modules/applications/life/renewals.ts findApplication':
    'the body refers to an application, which must be in the environment of the new one',
  'server/modules/businesses/evidence.ts findDocument':
    'the business is looked up with it; a document without its file may be removed',
  'server/modules/company-registry/listener.ts findBusiness': 'a listener has no caller',
  'server/modules/cases/dues.ts findCase': 'periodic work has no caller',
  'server/modules/cases/listeners.ts findApplication': 'a listener has no caller',
  'server/modules/cases/listeners.ts findBusiness': 'a listener has no caller',
  'server/modules/cases/case-subject.ts findApplication': 'a case that is looked up refers to its application',
  'server/modules/cases/case-subject.ts findBusiness': 'a case that is looked up refers to its business',
  'server/modules/monitoring/algorithm.ts findReadable': 'a task has no caller',
  'server/modules/monitoring/algorithm.ts findSubscription': 'a task has no caller',
  'server/modules/monitoring/change-subscription.ts lockSubscription': 'a process names its application',
  'server/modules/businesses/expire-documents.ts lockBusiness': 'the sandbox has found the target that the body names',
  'server/modules/monitoring/compare-business.ts findBusiness': 'a listener has no caller',
  'server/modules/monitoring/dates.ts lockBusiness': 'periodic work has no caller',
  'server/modules/monitoring/follow-hits.ts findScreening': 'hits refer to their screening',
  'server/modules/monitoring/rescreen.ts findReadable': 'a task has no caller',
  'server/modules/monitoring/rescreen.ts findSubscription': 'a task has no caller',
  'server/modules/monitoring/rescreen.ts lockSubscription': 'a task has no caller',
  'server/modules/monitoring/run-business.ts lockBusiness': 'a task has no caller',
  'server/modules/monitoring/run-business.ts lockSubscription': 'a task has no caller',
  'server/modules/powers/expire.ts lockBusiness': 'periodic work has no caller',
  'server/modules/risk/activation.ts findComparison': 'the body refers to a backtest, which must be of the model',
  'server/modules/risk/activation.ts lockComparison': 'the shadow run belongs to the model that is looked up',
  'server/modules/risk/assessable.ts lockApplication': 'a task and a listener have no caller',
  'server/modules/risk/assessable.ts lockBusiness': 'a task and a listener have no caller',
  'server/modules/risk/backtest-handlers.ts findComparison': 'the shadow run belongs to the model that is looked up',
  'server/modules/risk/backtest-handlers.ts lockComparison': 'the shadow run belongs to the model that is looked up',
  'server/modules/risk/backtest-task.ts lockComparison': 'a task has no caller',
  'server/modules/risk/comparisons.ts lockComparison': 'the request has written the row before',
  'server/modules/risk/shadow.ts lockComparison': 'what is due has no caller',
  'server/modules/sandbox/business-events.ts lockBusiness': 'the body names a target, which must be in the sandbox',
  'server/modules/sandbox/list-update.ts findApplication': 'the body names a target, which must be in the sandbox',
  'server/modules/sandbox/list-update.ts lockSubscription': 'the subscription of that target is locked',
  'server/modules/screenings/carry-over.ts findScreening': 'a decision refers to its screening',
  'server/modules/screenings/preview.ts findScreening': 'a preview of the platform has no caller in the tenant',
  'server/modules/verifications/job.ts findChallenge': 'a task has no caller',
  'server/modules/verifications/override.ts findDocument': 'the body refers to a document of the application',
  'server/modules/verifications/run.ts findVerification': 'a task has no caller',
  'server/modules/verifications/run.ts lockApplication': 'a task has no caller',
  'server/modules/workflows/batch-handlers.ts findBatch': 'the batch was just inserted',
  'server/modules/workflows/batch-handlers.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/begin.ts findInstance': 'the instance was just inserted',
  'server/modules/workflows/bindings.ts findInstance': 'a task has no caller',
  'server/modules/workflows/bindings.ts findJob': 'a task has no caller',
  'server/modules/workflows/binding-businesses.ts findBusiness': 'a task has no caller',
  'server/modules/workflows/binding-call.ts lockApplication': 'a task has no caller',
  'server/modules/workflows/binding-work.ts findReadable': 'a task has no caller',
  'server/modules/workflows/bindings.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/bindings.ts lockJob': 'a task has no caller',
  'server/modules/workflows/calls.ts findInstance': 'a task has no caller',
  'server/modules/workflows/calls.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/hear.ts findBusiness': 'a task has no caller',
  'server/modules/workflows/hear.ts findReadable': 'a task has no caller',
  'server/modules/workflows/hear.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/incident-handlers.ts findIncident':
    'the incident is looked up and read again after its change',
  'server/modules/workflows/incident-handlers.ts lockInstance': 'the incident that is looked up refers to its instance',
  'server/modules/workflows/instance-change-handlers.ts findInstance':
    'the instance is looked up and read again after its change',
  'server/modules/workflows/job-handlers.ts findInstance': 'the work that a worker has taken refers to its instance',
  'server/modules/workflows/job-handlers.ts findJob': 'the work is looked up and read again after its change',
  'server/modules/workflows/job-handlers.ts lockInstance': 'the work that is looked up refers to its instance',
  'server/modules/workflows/migrate.ts findInstance': 'the instance that is looked up is read again after its change',
  'server/modules/workflows/message-handlers.ts lockInstance': 'the message is for whatever instance waits for it',
  'server/modules/workflows/sent.ts findInstance': 'a task has no caller',
  'server/modules/workflows/sent.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/step-task.ts findInstance': 'a task has no caller',
  'server/modules/workflows/step-task.ts lockInstance': 'a task has no caller',
  'server/modules/workflows/task-handlers.ts findWorkflowTask': 'the task is looked up and read again after its change',
  'server/modules/workflows/task-handlers.ts lockInstance': 'the task that is looked up refers to its instance',
  'server/modules/workflows/timers.ts lockInstance': 'a timer has no caller',
};

/** Operations that always change the sandbox, or whose record has no lookup, compare the switch themselves. */
const COMPARES_SWITCH = [
  'server/modules/cases/assign.ts',
  'server/modules/recovery-retention/erase-payloads.ts',
  'server/modules/recovery-runs/handlers.ts',
  'server/modules/reports/create-report.ts',
  'server/modules/sandbox/handlers.ts',
];

/** Returns the files outside of lookups that call a function. */
const callersOf = (name: string): string[] =>
  files.filter((path) => !isLookup(path) && new RegExp(`\\b${name}\\(`).test(read(path)));

describe('A handler finds a record by a lookup', () => {
  it('and not by the statements that lookups send', () => {
    expect(OWNED.length).toBeGreaterThanOrEqual(9);
    const calls = OWNED.flatMap((name) => callersOf(name).map((path) => `${path} ${name}`));
    expect(calls.sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('and not with a comparison of its own with the switch of the sandbox', () => {
    expect(callersOf('assertEnvironmentWritable').sort()).toEqual(COMPARES_SWITCH);
  });
});
