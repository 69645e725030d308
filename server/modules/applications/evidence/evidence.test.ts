/** Tests of the form of the evidence. If it changes, stored digests no longer compare. */
import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../../base/canonical-json.ts';
import { uuidIn } from '../../../base/uuid.ts';
import { evidenceDigest } from '../../../rules/evidence.ts';
import { attestation, decision, informationRequest, waiver } from '../../decisions/index.ts';
import { openedRow, sealText } from '../../subject-keys/index.ts';
import { manifestOf } from './evidence.ts';

const at = '2026-11-26T12:00:00.000Z';
const createdBy = { type: 'user', id: 'u', display: 'Ana' } as const;
const idOf = (digit: number) => uuidIn(`00000000-0000-4000-8000-00000000000${digit}`);

/** One record of each kind of evidence, with members that a manifest leaves out. */
const held = {
  documents: [
    {
      id: idOf(1),
      sha256: 'a'.repeat(64),
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: null,
      status: 'uploaded',
      fileName: 'a.pdf',
    },
  ],
  consents: [
    {
      id: idOf(2),
      action: 'granted',
      purpose: 'identity_verification',
      capturedAt: at,
    },
  ],
  waivers: [
    {
      id: idOf(3),
      action: 'granted',
      requirementKey: 'address',
      reasonCode: 'other',
      note: 'Seen.',
      createdBy,
      createdAt: at,
    },
  ],
  attestations: [
    {
      id: idOf(4),
      requirementKey: 'cpf_status_ok',
      outcome: 'pass',
      source: 'The register.',
      lookedUpAt: at,
      note: 'Regular.',
      subject: '{}',
      evidenceDocumentId: null,
      createdBy,
      createdAt: at,
    },
  ],
  verifications: [
    {
      id: idOf(7),
      type: 'liveness',
      registrySource: null,
      documentIds: [],
      selfieDocumentId: null,
      status: 'passed',
      overriddenTo: null,
      subject: '{}',
      createdAt: at,
      finishedAt: at,
      expiresAt: null,
    },
  ],
  informationRequests: [
    {
      id: idOf(5),
      status: 'open',
      items: [],
      internalNote: 'Look.',
      dueAt: at,
      createdBy,
      createdAt: at,
      answeredAt: null,
    },
  ],
  screening: {
    id: idOf(6),
    result: 'clear',
    subject: { type: 'person', identifiers: [] },
    hitCount: 0,
    openHitCount: 0,
    truncated: false,
    confirmed: [],
    lists: [],
    staleLists: [],
  },
  risk: null,
  policy: {
    version: 7,
    rules: { autoApprove: false },
    staleListsBlock: false,
    screenedLists: [],
  },
};

it('keeps its form, so that stored digests stay comparable', () => {
  const application = { id: idOf(9), environment: 'live', applicant: { fullName: 'Maria da Silva' } };
  const manifest = manifestOf(application as never, held as never);
  expect(manifest.items.map(({ kind }) => kind)).toEqual([
    'applicant',
    'check',
    'consent',
    'document',
    'information_request',
    'policy',
    'screening',
    'verification',
    'waiver',
  ]);
  expect(canonicalJson(manifest.subject as Json)).toBe(`{"id":"${idOf(9)}","kind":"application"}`);
  const unverified = manifestOf(application as never, { ...held, verifications: [] } as never);
  expect(evidenceDigest(unverified)).toBe('sha256:c3be890cd0eae261d5db950b87c70b4b615e562ef8f5a400489abcf10a451440');
});

it('holds what a verification has found, and not when, so that a decision waits for no other time of the same result', () => {
  const application = { id: idOf(9), environment: 'live', applicant: { fullName: 'Maria da Silva' } };
  const digestOf = (changes: object) => {
    const verifications = held.verifications.map((one) => ({ ...one, ...changes }));
    return evidenceDigest(manifestOf(application as never, { ...held, verifications } as never));
  };
  expect(digestOf({ finishedAt: '2026-11-27T12:00:00.000Z', createdAt: '2026-11-27T12:00:00.000Z' })).toBe(
    digestOf({}),
  );
  for (const changes of [{ status: 'failed' }, { overriddenTo: 'failed' }, { subject: '{"fullName":"M"}' }])
    expect(digestOf(changes)).not.toBe(digestOf({}));
});

it('holds the level of risk and what it rests on, and neither the score nor the id of the assessment', () => {
  const application = { id: idOf(9), environment: 'live', applicant: { fullName: 'Maria da Silva' } };
  const risk = {
    id: idOf(10),
    score: 172_727,
    level: 'low',
    effectiveLevel: 'low',
    modelChecksum: '0'.repeat(64),
    isOverridden: false,
    requiresEnhanced: false,
  };
  const digestOf = (changes: Partial<typeof risk>) =>
    evidenceDigest(manifestOf(application as never, { ...held, risk: { ...risk, ...changes } } as never));
  expect(digestOf({ id: idOf(11), score: 180_000 })).toBe(digestOf({}));
  for (const changes of [
    { level: 'medium' },
    { effectiveLevel: 'high' },
    { modelChecksum: '1'.repeat(64) },
    { isOverridden: true },
    { requiresEnhanced: true },
  ])
    expect(digestOf(changes)).not.toBe(digestOf({}));
});

it('is read from rows that were sealed at the location of their table, column and row', () => {
  const key = createSecretKey(Buffer.alloc(32, 1));
  const id = idOf(8);
  const sealedAt = (location: string) => sealText(key, `${location} ${id}`, location);
  expect([
    openedRow(decision, { id, note: sealedAt('decision note') }, key).note,
    openedRow(waiver, { id, note: sealedAt('waiver note') }, key).note,
    openedRow(attestation, { id, source: sealedAt('attestation source') }, key).source,
    openedRow(informationRequest, { id, internalNote: sealedAt('informationRequest internalNote') }, key).internalNote,
  ]).toEqual(['decision note', 'waiver note', 'attestation source', 'informationRequest internalNote']);
});
