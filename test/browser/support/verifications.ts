/** A verification that has failed, for browser tests. */
import { expect, vi } from 'vitest';
import type { components } from '../../../server/contract/generated/client-types.ts';
import { api } from './api.ts';
import type { Application } from './applications.ts';

type Verification = components['schemas']['Verification'];

/** Lines of the passport of a fictional person, who is not the applicant. */
export const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];

/** Verifies a passport of somebody else, and waits until that has failed. */
export async function failedVerification(
  { id: applicationId }: Application,
  token: string,
  mrzLines: readonly string[] = LINES,
): Promise<void> {
  const body = { applicationId, type: 'document_ocr', inputs: { mrzLines } };
  const { id } = await api<Verification>('POST', '/v1/verifications', { token, body });
  const read = () => api<Verification>('GET', `/v1/verifications/${id}`, { token });
  await vi.waitFor(async () => expect((await read()).status).toBe('failed'), { timeout: 10_000, interval: 100 });
}
