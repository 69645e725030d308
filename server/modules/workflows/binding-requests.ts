/**
 * Work by which a process asks others for something: an applicant for information, monitoring for another interval, and
 * the compliance officers for their attention. Variables say what exactly.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Json } from '../../base/canonical-json.ts';
import { localeOf } from '../../providers/mail/index.ts';
import { BlindIndex } from '../../rules/blind-index.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { askForInformation } from '../applications/index.ts';
import { changeInterval } from '../monitoring/index.ts';
import { complianceOfficers } from '../screenings/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { actorFor } from './actor.ts';
import { added, applicationIdOf, type Call, eventOf, Refused } from './binding-call.ts';

const MOST_REQUIREMENTS = 20;
const LONGEST_MESSAGE = 500;
const LONGEST_INTERVAL_DAYS = 365;
const CODE = /^[a-z0-9_]{1,60}$/;

/**
 * Asks the applicant to meet the requirements that the variable `requirements` names, as a list or with commas. What
 * this moves the application to, until when and how often is decided by the rules of applications.
 */
export async function askApplicant(call: Call): Promise<Variables> {
  const { tx, instance, variables, services, at, now } = call;
  const tenantId = tx.tenantId!;
  const context = {
    tx,
    visible: [instance.environment],
    sandboxEnabled: true,
    setResourceEnvironment: () => undefined,
    principal: { ...actorFor(instance), tenantId },
    params: { applicationId: applicationIdOf(instance) },
    headers: {},
    now,
    timeIn: () => at,
  };
  const index = new BlindIndex(services.secrets.deriveKey('blind-index'));
  const { request, application } = await askForInformation(context, index, { items: itemsIn(variables) });
  const { id, dueAt, items } = request;
  appendAudit(tx, {
    ...eventOf(instance, now.toISOString()),
    action: 'information_request.created',
    resource: { type: 'information_request', id },
    changes: added({
      applicationId: application.id,
      dueAt,
      requirements: items.map(({ requirementKey }) => requirementKey),
    }),
  });
  appendAudit(tx, {
    ...eventOf(instance, now.toISOString()),
    action: 'application.status_changed',
    resource: { type: 'application', id: application.id },
    changes: added({ status: application.status, statusReason: application.statusReason }).map((one) => ({
      ...one,
      op: 'replace' as const,
    })),
  });
  return { information: { id, dueAt } };
}

function itemsIn(variables: Variables) {
  const named = variables['requirements'];
  const wanted = typeof named === 'string' ? named.split(',').map((key) => key.trim()) : named;
  const messageToApplicant = textIn(variables, 'messageToApplicant');
  const reasonCode = textIn(variables, 'reasonCode') ?? 'requested_by_process';
  if (messageToApplicant === undefined || messageToApplicant.length > LONGEST_MESSAGE || !CODE.test(reasonCode)) {
    throw new Refused('invalid_variables');
  }
  const keys = Array.isArray(wanted) ? wanted.filter((key): key is string => isCode(key)) : [];
  if (!Array.isArray(wanted) || keys.length !== wanted.length || keys.length === 0 || keys.length > MOST_REQUIREMENTS) {
    throw new Refused('invalid_variables');
  }
  return keys.map((requirementKey) => ({ requirementKey, reasonCode, messageToApplicant }));
}

const isCode = (value: Json): boolean => typeof value === 'string' && CODE.test(value);

function textIn(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Sets the interval of the monitoring to the variable `monitoringIntervalDays`, or ends the interval if it is null. */
export async function changeMonitoring({ tx, instance, variables, at, now }: Call): Promise<Variables> {
  const wanted = variables['monitoringIntervalDays'] ?? null;
  const isDays =
    typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 1 && wanted <= LONGEST_INTERVAL_DAYS;
  if (wanted !== null && !isDays) throw new Refused('invalid_variables');
  // Others lock a subscription before its application, which is not locked here.
  const { after } = await changeInterval(tx, applicationIdOf(instance), isDays ? wanted : null, at);
  appendAudit(tx, {
    ...eventOf(instance, now.toISOString()),
    action: 'monitoring.changed',
    resource: { type: 'monitoring_subscription', id: after.id },
    changes: added({ intervalDays: after.intervalDays }),
  });
  return {};
}

/** Writes to the compliance officers that the process asks for them. Nobody is written to by a sandbox. */
export async function notifyOfficers({ tx, instance, services }: Call): Promise<Variables> {
  if (instance.environment === 'sandbox') return {};
  const [officers, { branding }] = await Promise.all([complianceOfficers(tx), readSettings(tx, tx.tenantId!)]);
  for (const { email, name } of officers) {
    services.mail.queue(tx, {
      to: { address: email, name },
      locale: localeOf(branding.locale),
      template: 'processAsks',
      values: { process: instance.definitionKey, instanceId: instance.id },
    });
  }
  return {};
}
