/** Compiled, not run: code that a strict consumer writes against the packed declarations. */
import {
  ComplianceOnboarding,
  ConflictError,
  InvalidStateTransitionError,
  OAuthError,
  TokenCache,
  type Application,
  type ApplicationStatus,
  type CreateApplicationError,
  type FundsRecoveryEvent,
  type LogEvent,
  type Page,
} from 'compliance-onboarding';
import { createApplication, createClient } from 'compliance-onboarding/functions';
import { ExampleService, resetAfter, status } from 'compliance-onboarding/testing';

const client = new ComplianceOnboarding({
  baseUrl: 'https://compliance.example',
  apiKey: 'kyc_live_7Hq2ZtK9_secret',
  retryBudget: 20,
  tokenCache: new TokenCache(),
  userAgent: 'acme/2',
  logLevel: 'info',
  logger: {
    debug: console.debug,
    info: (message: string, event: LogEvent) => console.info(message, event.route),
    warn: console.warn,
  },
});

export async function applications(signal: AbortSignal): Promise<Application> {
  const created = await client.applications.create(
    { purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } },
    { idempotencyKey: 'a', signal, timeout: 5_000 },
  );
  const { data, response } = await client.applications.get(created.id).withResponse();
  const etag = response.headers.get('etag');
  await client.applications.update(data.id, { externalId: null }, etag === null ? {} : { ifMatch: etag });
  await client.applications.documents.upload(created.id, { file: new Uint8Array(4), type: 'passport', side: 'single' });
  const file = await client.applications.documents.download(created.id, 'd');
  const bytes: Uint8Array = await file.bytes();
  const nothing: undefined | void = await client.settings.apiKeys.revoke('kyc_live_7Hq2ZtK9');
  return nothing === undefined && bytes.length > 0 ? created : data;
}

export async function events(): Promise<string | null> {
  const first: Page<FundsRecoveryEvent> = await client.fundsRecovery.events.list({ limit: 200 });
  for await (const event of client.fundsRecovery.events.list()) console.log(event.eventType, event.rawPayload);
  for await (const page of client.fundsRecovery.events.list().pages()) console.log(page.cursor);
  return first.cursor;
}

export function isOpen(status: ApplicationStatus): boolean {
  // A value of a later version is an ordinary string, and the editor completes the known ones.
  const later: ApplicationStatus = 'invented_next_year';
  return status === 'draft' || status === later;
}

export function explain(error: unknown): string {
  if (error instanceof InvalidStateTransitionError) return ((code: 'invalid_state_transition') => code)(error.code);
  if (error instanceof ConflictError && error.code === 'invalid_state_transition')
    return error.problem?.currentStatus ?? '';
  return error instanceof OAuthError ? error.error : '';
}

export function refused(error: CreateApplicationError): string | undefined {
  if (error.code === 'duplicate_external_id') return error.problem.existingId;
  if (error.code === 'requirements_missing') return String(error.problem.items?.length);
  return error.problem?.detail;
}

export function mistakes(): void {
  // @ts-expect-error a read takes no idempotency key
  void client.applications.get('a', { idempotencyKey: 'k' });
  // @ts-expect-error a request enum is closed
  void client.applications.documents.upload('a', { file: new Uint8Array(4), type: 'invented' });
  // @ts-expect-error what is sent is closed, whatever answers may hold
  void client.applications.create({ purpose: 'nope', applicant: { fullName: 'Ana Souza' } });
  // @ts-expect-error and so is what is asked for
  void client.settings.apiKeys.list({ environment: 'nope' });
  // @ts-expect-error the applicant is required
  void client.applications.create({ purpose: 'account_opening' });
  // @ts-expect-error there is no such scope
  void client.settings.apiKeys.replaceScopes('kyc_live_7Hq2ZtK9', { scopes: ['root'] });
  // @ts-expect-error a resource cannot be replaced
  client.applications = client.applications;
}

const service = new ExampleService().reply('createApplication', status(503), resetAfter, { status: 'submitted' });
export const tested = new ComplianceOnboarding({ apiKey: 'kyc_test_a_b', fetch: service.fetch });

export const flat = (): PromiseLike<Application> =>
  createApplication(
    createClient({ baseUrl: 'https://compliance.example' }),
    { purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } },
    { idempotencyKey: 'a' },
  );
