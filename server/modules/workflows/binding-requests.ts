/**
 * Work by which a process asks others for something: an applicant for information, a provider for a verification,
 * monitoring for another interval, and the compliance officers for their attention. Variables say what exactly.
 */
import type { Json } from '../../base/canonical-json.ts';
import { isUuid, type Uuid, uuidIn } from '../../base/uuid.ts';
import type { Body } from '../../contract/operation-types.ts';
import { localeOf } from '../../providers/mail/index.ts';
import { BlindIndex } from '../../rules/blind-index.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { askForInformation } from '../applications/index.ts';
import { changedStatus } from '../decisions/index.ts';
import { changeInterval } from '../monitoring/index.ts';
import { complianceOfficers } from '../screenings/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { startVerification } from '../verifications/index.ts';
import { applicationIdOf, auditOf, type Call, inNameOf, Refused } from './binding-call.ts';

const MOST_REQUIREMENTS = 20;
const MOST_DOCUMENTS = 2;
const LONGEST_MESSAGE = 500;
const LONGEST_INTERVAL_DAYS = 365;
const VERIFICATION_TYPES = ['document_ocr', 'face_match', 'liveness', 'registry'] as const;
const CODE = /^[a-z0-9_]{1,60}$/;

/**
 * Asks the applicant to meet the requirements that the variable `requirements` names, as a list or with commas. What
 * this moves the application to, until when and how often is decided by the rules of applications.
 */
export async function askApplicant(call: Call): Promise<Variables> {
  const { variables, services } = call;
  const index = new BlindIndex(services.secrets.deriveKey('blind-index'));
  const context = { ...inNameOf(call), params: { applicationId: applicationIdOf(call.instance) }, headers: {} };
  const { request, application } = await askForInformation(context, index, { items: itemsIn(variables) });
  const { id, dueAt, items } = request;
  const audit = auditOf(call);
  audit(
    'information_request.created',
    { type: 'information_request', id },
    { applicationId: application.id, dueAt, requirements: items.map(({ requirementKey }) => requirementKey) },
  );
  audit('application.status_changed', { type: 'application', id: application.id }, changedStatus(application));
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

/**
 * Starts a verification of the type that the variable `verificationType` names, with the documents and the selfie that
 * others name. The process hears `verification.final` when it has ended, with its result.
 */
export async function verify(call: Call): Promise<Variables> {
  const { variables, services, instance } = call;
  const body = { ...verificationIn(variables), applicationId: uuidIn(applicationIdOf(instance)) };
  const { id } = await startVerification({ ...inNameOf(call), body }, services.verificationProviders);
  const { applicationId, type } = body;
  auditOf(call)('verification.started', { type: 'verification', id }, { applicationId, type });
  return { verification: { id, type, status: 'queued' } };
}

function verificationIn(variables: Variables): Omit<Body<'createVerification'>, 'applicationId'> {
  const type = VERIFICATION_TYPES.find((one) => one === variables['verificationType']);
  const documentIds = variables['documentIds'];
  const selfieDocumentId = textIn(variables, 'selfieDocumentId');
  if (type === undefined) throw new Refused('invalid_variables');
  return {
    type,
    ...(type === 'registry' && { registrySource: 'receita_cpf' }),
    inputs: {
      ...(documentIds !== undefined && { documentIds: idsIn(documentIds) }),
      ...(selfieDocumentId !== undefined && { selfieDocumentId: idsIn([selfieDocumentId])[0]! }),
    },
  };
}

/** Returns the ids in a value of a process, or refuses anything else. */
function idsIn(value: Json): Uuid[] {
  const ids = Array.isArray(value) ? value.filter((one) => typeof one === 'string').filter(isUuid) : [];
  if (!Array.isArray(value) || ids.length !== value.length || ids.length > MOST_DOCUMENTS) {
    throw new Refused('invalid_variables');
  }
  return ids;
}

/** Sets the interval of the monitoring to the variable `monitoringIntervalDays`, or ends the interval if it is null. */
export async function changeMonitoring(call: Call): Promise<Variables> {
  const { tx, instance, variables, at } = call;
  const wanted = variables['monitoringIntervalDays'] ?? null;
  const isDays =
    typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 1 && wanted <= LONGEST_INTERVAL_DAYS;
  if (wanted !== null && !isDays) throw new Refused('invalid_variables');
  // Others lock a subscription before its application, which is not locked here.
  const { after } = await changeInterval(tx, applicationIdOf(instance), isDays ? wanted : null, at);
  auditOf(call)(
    'monitoring.changed',
    { type: 'monitoring_subscription', id: after.id },
    { intervalDays: after.intervalDays },
  );
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
