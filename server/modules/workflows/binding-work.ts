/**
 * The work that the service itself does for a process, by the functions that its own handlers and tasks call, so that
 * every rule of theirs holds. A refusal is an error that the process can catch by the code of the problem.
 */
import { Problem } from '../../contract/problem.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { considerScreened, findReadable } from '../applications/index.ts';
import { auditJoined, openOrJoin } from '../cases/index.ts';
import { assessRecord, currentAssessment, lockAssessable } from '../risk/index.ts';
import { rescreen } from '../screenings/index.ts';
import { actorFor } from './actor.ts';
import { checkOwnership, checkPowers, fetchRegistry } from './binding-businesses.ts';
import { applicationIdOf, auditOf, type Call, Refused } from './binding-call.ts';
import { askApplicant, changeMonitoring, notifyOfficers, verify } from './binding-requests.ts';
import { type Binding, isBinding } from './binding-types.ts';

/** The variables that the work writes, or the code of an error. */
export type Done = { readonly values: Variables } | { readonly refused: string };

/** Does the work, or returns the code of the problem because of which nothing was done. */
export async function carriedOut(call: Call, type: string): Promise<Done> {
  if (!isBinding(type)) throw new Error(`${type} is no work of the service`);
  try {
    return { values: await DO[type](call) };
  } catch (failure) {
    if (failure instanceof Refused) return { refused: failure.code };
    // Problems are thrown before anything is written.
    if (failure instanceof Problem) return { refused: failure.code };
    throw failure;
  }
}

const DO: Readonly<Record<Binding, (call: Call) => Promise<Variables>>> = {
  'business.ownership': checkOwnership,
  'business.powers': checkPowers,
  'business.registry': fetchRegistry,
  'case.open': openCaseFor,
  'decision.propose': propose,
  'decision.table': () => Promise.reject(new Error('A table decides before the transaction.')),
  'information.request': askApplicant,
  'mail.notify': notifyOfficers,
  'monitoring.change': changeMonitoring,
  'risk.assess': assessFor,
  'screening.run': screenFor,
  'verification.run': verify,
};

async function assessFor(call: Call): Promise<Variables> {
  const { tx, at, now } = call;
  const { subject, assessable } = await lockedSubject(call);
  if (assessable.record.status === 'draft') throw new Refused('not_submitted');
  if (!(await assessRecord(tx, assessable, 'event', { at, now }))) throw new Refused('risk_unscorable');
  const current = (await currentAssessment(tx, subject))!;
  return { risk: { assessmentId: current.id, level: current.effectiveLevel } };
}

async function screenFor(call: Call): Promise<Variables> {
  const { tx, instance, services, at, now } = call;
  const found = await findReadable(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (found === null || found === 'unreadable' || found.erasedAt !== null) throw new Refused('no_application');
  const screener = {
    tx,
    tenantId: tx.tenantId!,
    by: actorFor(instance),
    at,
    now,
  };
  const { id, result, hitCount } = await rescreen(screener, services.watchLists, found);
  auditOf(call)('screening.run', { type: 'screening', id }, { applicationId: found.id, result });
  return { screening: { id, result, hitCount } };
}

/** Locks the application or the business that the instance is about. */
async function lockedSubject({ tx, instance: { applicationId, businessId } }: Call) {
  if (applicationId === null && businessId === null) throw new Refused('no_application');
  const subject = subjectNamedBy({ applicationId, businessId });
  const assessable = await lockAssessable(tx, subject);
  if (assessable === null) throw new Refused(`no_${subject.kind}`);
  return { subject, assessable };
}

/**
 * Opens a case about the application or the business, or joins the open one. The variable `queue` names the wanted
 * queue.
 */
async function openCaseFor(call: Call): Promise<Variables> {
  const { tx, instance, variables, at } = call;
  const { subject, assessable } = await lockedSubject(call);
  const queue = typeof variables['queue'] === 'string' ? variables['queue'] : 'normal';
  const joined = await openOrJoin(tx, {
    environment: assessable.record.environment,
    subject,
    type: 'ad_hoc',
    queue,
    openedReason: 'manual',
    link: null,
    by: actorFor(instance),
    at,
  });
  auditJoined(auditOf(call), joined);
  return { case: { id: joined.record.id, number: joined.record.number } };
}

/** Lets the automatic approval examine the case. It approves by its own criteria, and everything else is for people. */
async function propose({ tx, instance, now }: Call): Promise<Variables> {
  const record = await findReadable(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (record === null || record === 'unreadable' || record.erasedAt !== null) throw new Refused('no_application');
  await considerScreened(tx, record.id, now);
  return {};
}
