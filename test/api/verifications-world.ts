/** Fixture of the tests of verifications: applications, their documents and consents, and calls about them. */
import type { components } from '../../server/contract/generated/types.ts';
import { newBiometricBasis, sixFrames } from '../operations/verification-records.ts';
import { newDocument } from '../operations/application-records.ts';
import { multipart } from '../support/api.ts';
import { jpeg } from '../support/specimens.ts';
import { type Answer, type Credential, type Tenant, useService } from '../support/service.ts';

export type Verification = components['schemas']['Verification'];
export type Challenge = components['schemas']['LivenessChallenge'];
type Problem = Omit<components['schemas']['Problem'], 'status' | 'type' | 'items'>;

/** Passport of a fictional person; the second line has right check digits. */
export const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
export const ANNA = {
  fullName: 'Anna Maria Eriksson',
  dateOfBirth: '1974-08-12',
  taxId: { type: 'cpf', value: '52998224725' },
};

/**
 * Starts a service with more environment variables, and returns functions that start verifications and read what became
 * of them.
 */
export async function startVerificationWorld(env: Readonly<Record<string, string>> = {}) {
  const service = await useService({ env });
  const { request } = service;

  async function sandbox(): Promise<Tenant> {
    const tenant = await service.tenant();
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    return tenant;
  }
  async function apply(as: Credential, applicant: object = ANNA, isSubmitted = false): Promise<string> {
    const { body, text, status } = await request<{ id: string }>('POST', '/v1/applications', {
      as,
      body: {
        purpose: 'account_opening',
        level: 'basic',
        submit: isSubmitted,
        applicant,
      },
    });
    if (status !== 201) throw new Error(text);
    return body.id;
  }
  const start = (as: Credential, body: object): Promise<Answer<Verification & Problem>> =>
    request<Verification & Problem>('POST', '/v1/verifications', { as, body });
  const read = (as: Credential, id: string): Promise<Answer<Verification & Problem>> =>
    request<Verification & Problem>('GET', `/v1/verifications/${id}`, { as });
  /** Runs the tasks and reads the verification. */
  async function ended(as: Credential, id: string): Promise<Verification> {
    await service.running.runTasks();
    return (await read(as, id)).body;
  }
  const document = (tenant: Tenant, applicationId: string, as: Credential): Promise<string> =>
    newDocument(service, tenant, applicationId, as);
  async function upload(
    applicationId: string,
    fields: Readonly<Record<string, string>>,
    as: Credential,
  ): Promise<string> {
    const file = new Blob([new Uint8Array(jpeg({ text: `${applicationId} ${JSON.stringify(fields)}` }))]);
    const { body, text, status } = await request<{ id: string }>(
      'POST',
      `/v1/applications/${applicationId}/documents`,
      {
        as,
        body: multipart({ ...fields, file }),
      },
    );
    if (status !== 201) throw new Error(text);
    return body.id;
  }
  /** Sets the checks that the policy of a tenant demands at the level basic. */
  async function demand(tenant: Tenant, basic: readonly string[]): Promise<void> {
    const as = await tenant.user('owner', { secondFactor: true });
    const { headers } = await request('GET', '/v1/settings', { as });
    const { status, text } = await request('PATCH', '/v1/settings', {
      as,
      body: { decisionPolicy: { requiredChecks: { basic } } },
      headers: { 'If-Match': headers.get('etag') ?? '' },
    });
    if (status !== 200) throw new Error(text);
  }
  /** Records a basis for biometric data, by default from before every withdrawal. */
  const basis = (tenant: Tenant, applicationId: string, as: Credential, capturedAt?: string): Promise<string> =>
    newBiometricBasis(service, tenant, applicationId, { as, ...(capturedAt !== undefined && { capturedAt }) });
  const challenge = (as: Credential, applicationId: string): Promise<Answer<Challenge & Problem>> =>
    request<Challenge & Problem>('POST', '/v1/verifications/liveness-challenges', { as, body: { applicationId } });
  async function frames(
    as: Credential,
    { id, nonce }: Pick<Challenge, 'id' | 'nonce'>,
    pictures: Readonly<Record<string, Buffer>> = sixFrames(),
  ): Promise<Answer<Challenge & Problem>> {
    const blobs = Object.entries(pictures).map(([name, bytes]) => [name, new Blob([new Uint8Array(bytes)])]);
    return request<Challenge & Problem>('POST', `/v1/verifications/liveness-challenges/${id}/frames`, {
      as,
      body: multipart({ nonce, ...Object.fromEntries(blobs) }),
    });
  }
  return {
    ...service,
    service,
    sandbox,
    apply,
    submit: (as: Credential) => apply(as, ANNA, true),
    start,
    read,
    ended,
    document,
    upload,
    demand,
    basis,
    challenge,
    frames,
  };
}
