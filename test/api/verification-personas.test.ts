/** Tests that verifications find about each persona of the sandbox what the service says of it. */
import { expect, it } from 'vitest';
import { persons } from '../../server/providers/personas/index.ts';
import { startVerificationWorld, type Verification } from './verifications-world.ts';

const world = await startVerificationWorld();
const tenant = await world.sandbox();
const key = await tenant.key(['read', 'write'], { environment: 'test' });

/** Runs every type of verification of an applicant once, and one of them twice. */
async function allOf(id: string): Promise<Verification[]> {
  await world.basis(tenant, id, key);
  const passport = await world.document(tenant, id, key);
  const selfie = await world.upload(id, { type: 'selfie' }, key);
  const { body: challenge } = await world.challenge(key, id);
  await world.frames(key, challenge);
  const found: Verification[] = [];
  for (const body of [
    { type: 'registry', registrySource: 'receita_cpf' },
    { type: 'registry', registrySource: 'receita_cpf' },
    { type: 'registry', registrySource: 'bc_protege' },
    { type: 'document_ocr', inputs: { documentIds: [passport] } },
    { type: 'face_match', inputs: { documentIds: [passport], selfieDocumentId: selfie } },
    { type: 'liveness', inputs: { challengeId: challenge.id } },
  ]) {
    const { status, text, body: started } = await world.start(key, { applicationId: id, ...body });
    expect(status, text).toBe(202);
    found.push(await world.ended(key, started.id));
  }
  return found;
}

/** Outcomes of personas by the check that fails, with its reason. */
const BY_REASON: Readonly<Record<string, readonly string[]>> = {
  document_expired: ['document_expired'],
  faces_differ: ['face_mismatch'],
  picture_of_a_person: ['liveness_spoof'],
  protection_active: ['account_protection_active'],
  deceased: ['cpf_cancelled', 'deceased'],
};

/** Returns what verifications have found, in the words of the personas. */
function outcomesOf(verifications: readonly Verification[]): string[] {
  const reasons = verifications.flatMap(({ result }) =>
    (result?.checks ?? []).filter(({ outcome }) => outcome === 'fail').map(({ reasonCode }) => reasonCode ?? ''),
  );
  const timeouts = verifications.filter(({ error }) => error?.code === 'provider_timeout');
  return [
    ...new Set(reasons.flatMap((reason) => BY_REASON[reason] ?? [reason])),
    ...(timeouts.length > 0 ? ['provider_timeout', 'provider_success'] : []),
  ];
}

const OF_OTHER_CHECKS = /^(screening_clear|pep_|sanctions_|homonym_|left_|approv|cleared_|risk_)/;

it.each(persons)('Verifications of the persona $key find what the sandbox says of it', async (persona) => {
  const id = await world.apply(key, { ...persona.applicant! });
  const verifications = await allOf(id);
  expect(outcomesOf(verifications)).toEqual(persona.outcomes.filter((outcome) => !OF_OTHER_CHECKS.test(outcome)));
  for (const { status, result, error } of verifications)
    expect([status, result === null]).toEqual(error === null ? [status, false] : ['error', true]);
  expect(new Set(verifications.map(({ result }) => result?.provider ?? 'sandbox'))).toEqual(new Set(['sandbox']));
});
