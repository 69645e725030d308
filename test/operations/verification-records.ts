/** Verifications and challenges with what is needed before a call about them. */
import { uuidv7 } from '../../server/base/uuid.ts';
import { multipart, success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { newApplication, newDocument } from './application-records.ts';
import { done } from './screening-records.ts';

/** Lines of the passport of a fictional person, with right check digits. */
export const MRZ_LINES = [
  'P<BRADA<SILVA<<MARIA<<<<<<<<<<<<<<<<<<<<<<<<',
  'FZ1234<<<8BRA8506302M2906298<<<<<<<<<<<<<<00',
];

const FRAMES = ['frame1', 'frame2', 'frame3', 'frame4', 'frame5', 'frame6'] as const;

/** Lines of the identity card of another one. */
export const OTHER_MRZ_LINES = [
  'IDUTOQW12345676<<<<<<<<<<<<<<<',
  '7809154F3309140UTO<<<<<<<<<<<4',
  'MODELO<SILVA<<LIA<<<<<<<<<<<<<',
];

/** Returns six different pictures under the names of frames. */
export function sixFrames(): Record<(typeof FRAMES)[number], Buffer> {
  const picture = jpeg();
  // A comment segment (ITU-T T.81, B.2.4.5) behind the start marker makes each picture another file.
  const frames = FRAMES.map((name, index) => [
    name,
    Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, 0xfe, 0x00, 0x03, 0x30 + index]), picture.subarray(2)]),
  ]);
  return Object.fromEntries(frames) as Record<(typeof FRAMES)[number], Buffer>;
}

/** Records a basis for biometric data. */
export async function newBiometricBasis(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  { as, capturedAt = '2026-11-01T08:00:00.000Z' }: { readonly as?: Credential; readonly capturedAt?: string } = {},
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/consents', {
      params: { path: { applicationId } },
      headers: as ?? (await tenant.key(['write'])),
      body: {
        action: 'granted',
        purpose: 'biometric_processing',
        legalBasis: 'consent',
        textVersion: '1',
        textSha256: '0'.repeat(64),
        locale: 'pt-BR',
        channel: 'web',
        capturedAt,
      },
    }),
    201,
  );
  return body.id;
}

/** Starts a verification of the lines of a passport. */
export async function newVerification(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const applicationId = await newApplication(service, tenant, as);
  const documentId = await newDocument(service, tenant, applicationId, as);
  const { body } = await success(
    service.api.POST('/v1/verifications', {
      headers: as ?? (await tenant.key(['write'])),
      body: { applicationId, type: 'document_ocr', inputs: { documentIds: [documentId], mrzLines: MRZ_LINES } },
    }),
    202,
  );
  return body.id;
}

/** Returns a verification that has ended. */
export async function newEndedVerification(service: TestService, tenant: Tenant): Promise<string> {
  const id = await newVerification(service, tenant);
  await done(service, 'the verification', async () => {
    const [row] = await service.database.sql<{ status: string }>('SELECT status FROM verification WHERE id = $1', [id]);
    return row?.status === 'queued' || row?.status === 'processing' ? null : row!;
  });
  return id;
}

/** Issues a challenge for a new application with a basis for biometric data. */
export async function newChallenge(
  service: TestService,
  tenant: Tenant,
  as?: Credential,
): Promise<{ readonly id: string; readonly nonce: string; readonly applicationId: string }> {
  const headers = as ?? (await tenant.key(['write']));
  const applicationId = await newApplication(service, tenant, headers);
  await newBiometricBasis(service, tenant, applicationId, { as: headers });
  const { body } = await success(
    service.api.POST('/v1/verifications/liveness-challenges', { headers, body: { applicationId } }),
    201,
  );
  return { id: body.id, nonce: body.nonce, applicationId };
}

/** Uploads six frames of a new challenge. */
export async function newFrames(
  service: TestService,
  tenant: Tenant,
  as?: Credential,
): Promise<{ readonly id: string; readonly applicationId: string }> {
  const challenge = await newChallenge(service, tenant, as);
  const { frame1, frame2, frame3, frame4, frame5, frame6 } = sixFrames();
  const blob = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)]);
  await success(
    service.api.POST('/v1/verifications/liveness-challenges/{challengeId}/frames', {
      params: { path: { challengeId: challenge.id } },
      headers: as ?? (await tenant.key(['write'])),
      body: {
        nonce: challenge.nonce,
        frame1: blob(frame1),
        frame2: blob(frame2),
        frame3: blob(frame3),
        frame4: blob(frame4),
        frame5: blob(frame5),
        frame6: blob(frame6),
      },
      bodySerializer: multipart,
    }),
  );
  return challenge;
}

/**
 * Inserts a verification that used the frames of a challenge, because no provider of liveness is configured in live.
 */
export async function newVerificationWithFrames(service: TestService, tenant: Tenant): Promise<string> {
  const { id: challengeId, applicationId } = await newFrames(service, tenant);
  const id = uuidv7();
  await service.database.sql(
    `INSERT INTO verification (tenant_id, id, environment, application_id, type, proves, document_ids, challenge_id,
       subject, status, attempt, error_code, created_at, created_by)
     VALUES ($1, $2, 'live', $3, 'liveness', 'identity', '[]', $4, '{}', 'error', 1, 'provider_timeout', now(),
       '{"type": "system", "id": null, "display": "test"}')`,
    [tenant.id, id, applicationId, challengeId],
  );
  return id;
}
