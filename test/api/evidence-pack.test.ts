/** API tests of the evidence pack, which must hold everything about an application and verify offline. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceDigest, type EvidenceManifest } from '../../server/rules/evidence.ts';
import { ROOT, run } from '../fault/audit-log.ts';
import { success } from '../support/api.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg, png } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { auditor } from './audit-world.ts';
import { exposed, startDecisionWorld } from './decisions-world.ts';
import { type Entry, entriesOf, startEvidencePackWorld } from './evidence-pack-world.ts';

const { folder, verify, zipOf } = await startEvidencePackWorld();
const world = await shared(startDecisionWorld());
afterAll(() => rmSync(folder, { recursive: true }));

/** Number of bytes that are flipped, one at a time; the soak flips every byte. */
const FLIPS = process.env['SOAK'] === 'true' ? Number.POSITIVE_INFINITY : 150;

const path = (id: string) => `/v1/applications/${id}/evidence-pack`;

async function download(
  id: string,
  as: Credential = world.officer,
  { url }: Pick<typeof world, 'url'> = world,
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  // The log can be signed again only some seconds after the last signature.
  world.advance(11_000);
  const answer = await fetch(`${url}${path(id)}`, { headers: as });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

let application: Application;
let pack: Buffer;
let publicKey: string;
const pictures = [jpeg({ text: 'THE-PASSPORT' }), png()];

beforeAll(async () => {
  const { id } = await world.inReview(exposed);
  await world.upload(id, pictures[0]!);
  await world.upload(id, pictures[1]!, { type: 'selfie', fileName: 'me.png' });
  const consent = {
    action: 'granted',
    purpose: 'screening',
    legalBasis: 'legal_obligation',
    textVersion: '1',
    textSha256: 'ab'.repeat(32),
    locale: 'pt-BR',
    channel: 'web',
    capturedAt: world.running.services.clock().toISOString(),
  };
  await world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body: consent });
  const attestation = {
    requirementKey: 'adverse_media_clear',
    outcome: 'pass',
    source: 'News, by name',
    lookedUpAt: world.running.services.clock().toISOString(),
    note: 'Nothing was found.',
  };
  await world.request('POST', `/v1/applications/${id}/attestations`, { as: world.analyst, body: attestation });
  await world.ask({ id }, { internalNote: 'CALLED-TWICE' });
  await world.request('PATCH', `/v1/applications/${id}`, {
    as: world.key,
    body: { applicant: { dateOfBirth: '1991-02-03' } },
  });
  await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
  const { body: returned } = await world.decide((await world.get(id)).body);
  await world.review((await world.get(id)).body, returned, { verdict: 'return' });
  const { body: decision } = await world.decide((await world.get(id)).body, { note: 'Looked again: all agrees.' });
  await world.review((await world.get(id)).body, decision);
  application = (await world.get(id, world.officer)).body;
  pack = (await download(id)).bytes;
  const {
    body: {
      publicKeys: [key],
    },
  } = await success(auditor(world, await world.acme.user('auditor')).checkpoints());
  publicKey = key!.x;
});

describe('an evidence pack', () => {
  it('contains everything that is known of the application, and verifies offline with the key of the service', async () => {
    const { status, verdict } = await verify(pack, '--public-key', publicKey);
    expect([status, verdict]).toEqual([
      0,
      expect.objectContaining({
        valid: true,
        failures: [],
        decisions: 2,
        files: 9,
        applicationId: application.id,
        keySource: 'option',
      }),
    ]);
    const files = new Map(entriesOf(pack).map(({ name, content }) => [name, content]));
    const json = (name: string): unknown => JSON.parse(String(files.get(name)));
    expect(json('application.json')).toEqual(application);
    expect(application).toMatchObject({
      status: 'approved',
      consents: [{}],
      attestations: [{ note: 'Nothing was found.' }],
      informationRequests: [{ internalNote: 'CALLED-TWICE' }],
      decisions: [{ status: 'effective' }, { status: 'returned' }],
    });
    const documentFiles = application.documents!.map(({ id, fileName }) =>
      files.get(`documents/${id}${fileName.slice(fileName.lastIndexOf('.'))}`),
    );
    expect(documentFiles.map((bytes) => pictures.some((picture) => bytes?.equals(picture)))).toEqual([true, true]);
    for (const decision of application.decisions!)
      expect(evidenceDigest(json(`evidence/${decision.id}.json`) as EvidenceManifest)).toBe(decision.evidenceDigest);
    const auditLines = String(files.get('audit/events.ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; event?: { action: string; resource: { id: string } } });
    expect(auditLines.at(0)).toMatchObject({ type: 'header', filter: { applicationId: application.id } });
    expect(auditLines.at(-1)).toMatchObject({ type: 'checkpoint' });
    expect(verdict.events).toBe(auditLines.length - 2);
    expect(auditLines.flatMap(({ event }) => event?.action ?? [])).toEqual(
      expect.arrayContaining([
        'application.created',
        'document.uploaded',
        'consent.granted',
        'information_request.created',
        'information_request.answered',
        'decision.proposed',
        'decision.returned',
        'decision.confirmed',
      ]),
    );
    expect((json('manifest.json') as { entries: { path: string; sha256: string }[] }).entries).toEqual(
      [...files].slice(0, -2).map(([name, content]) => ({
        path: name,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    );
  });

  it('is an attachment, and is recorded in the log with its content', async () => {
    const { status, headers, bytes } = await download(application.id);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/zip',
      `attachment; filename="evidence-pack-${application.id}.zip"`,
    ]);
    const own = (await world.acme.audit()).filter(({ action }) => action === 'evidence_pack.exported');
    expect(own.map(({ resource_id: about }) => about)).toEqual([application.id, application.id]);
    // The second pack contains the event of the first download.
    expect(String(entriesOf(bytes).find(({ name }) => name === 'audit/events.ndjson')?.content)).toContain(
      '"action":"evidence_pack.exported"',
    );
    expect((await verify(bytes, '--public-key', publicKey, '--tenant', world.acme.id)).status).toBe(0);
  });

  it('shows a program what programs see: not the notes that people write for each other', async () => {
    const { status, bytes } = await download(application.id, world.key);
    expect([status, bytes.includes('CALLED-TWICE'), (await verify(bytes, '--public-key', publicKey)).status]).toEqual([
      200,
      false,
      0,
    ]);
  });

  it('is refused to callers who see personal data masked, of an erased application, and while nothing has signed the newest change', async () => {
    const masked = await world.acme.key(['read'], { personalData: 'masked' });
    expect(refusal(await world.request('GET', path(application.id), { as: masked }))).toEqual([
      403,
      'personal_data_masked',
    ]);
    const { body: draft } = await world.create();
    await download(draft.id);
    expect((await world.request('GET', path(draft.id), { as: world.officer })).status).toBe(200);
    await world.upload(draft.id, png());
    const early = await world.request('GET', path(draft.id), { as: world.officer });
    expect([...refusal(early), Number(early.headers.get('retry-after')) > 0]).toEqual([
      409,
      'not_checkpointed_yet',
      true,
    ]);
    const eraser = await world.acme.user('compliance_officer', { secondFactor: true });
    expect(
      (
        await world.request('POST', `/v1/applications/${draft.id}/erase`, {
          as: eraser,
          body: { reason: 'data_subject_request' },
        })
      ).status,
    ).toBe(202);
    expect(refusal(await world.request('GET', path(draft.id), { as: world.officer }))).toEqual([410, 'erased']);
  });

  it('breaks off instead of looking complete if a file differs from the upload', async () => {
    // A file is removed below the service. The contract does not describe the resulting answer.
    const spoilt = await startDecisionWorld({ sabotaged: true });
    const {
      body: { id },
    } = await spoilt.create();
    const {
      body: { id: documentId },
    } = await spoilt.upload(id, jpeg({ text: id }));
    const [row] = await spoilt.database.sql<{ key: string }>('SELECT storage_key AS key FROM document WHERE id = $1', [
      documentId,
    ]);
    await spoilt.running.services.files.delete(row!.key);
    await expect(download(id, spoilt.officer, spoilt)).rejects.toThrow();
    await spoilt.stop();
  });
});

describe('the verification of a pack', () => {
  it('finds every flipped byte, wherever it is', { timeout: 1_800_000 }, () => {
    const file = join(folder, 'flipped.zip');
    writeFileSync(file, pack);
    const script = `import { readFileSync, writeFileSync } from 'node:fs';
      import { verifyPack } from '${ROOT}/scripts/verify-audit/pack.mjs';
      const pack = readFileSync(${JSON.stringify(file)}); const flips = Math.min(pack.length, ${FLIPS});
      const missed = [];
      let state = 20261123;
      for (let n = 0; n < flips; n += 1) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const at = flips === pack.length ? n : n < 60 ? pack.length - 1 - n * 17 : state % pack.length;
        const flipped = Buffer.from(pack); flipped[at] ^= 1 << (state >>> 29);
        writeFileSync(${JSON.stringify(file)}, flipped);
        const options = { publicKeys: null, tenant: null, trusted: null, progress: () => undefined };
        const { valid } = await verifyPack(${JSON.stringify(file)}, options).catch(() => ({ valid: false }));
        if (valid) missed.push(at);
      }
      console.log(JSON.stringify({ flips, missed }));`;
    const { flips, missed } = JSON.parse(
      String(execFileSync(process.execPath, ['--input-type=module', '-e', script])),
    ) as { flips: number; missed: number[] };
    expect(flips).toBe(Math.min(pack.length, FLIPS));
    expect(missed).toEqual([]);
  });

  it('names the file that differs, and finds what is cut off, added, removed, renamed or moved', async () => {
    const entries = entriesOf(pack);
    const picture = entries.find(({ name }) => name.endsWith('.png'))!;
    const failuresOf = async (changed: readonly Entry[]) => {
      const { status, verdict } = await verify(zipOf(changed, pack), '--public-key', publicKey);
      expect(status).toBe(1);
      return verdict.failures.map(({ entry, detail }) => `${entry}: ${detail.split(':')[0]}`);
    };
    expect(zipOf(entries, pack).equals(pack)).toBe(true);
    expect(
      await failuresOf(
        entries.map((entry) => (entry === picture ? { ...picture, content: jpeg({ text: 'ANOTHER' }) } : entry)),
      ),
    ).toEqual([`${picture.name}: It is not the file that the manifest lists.`]);
    expect(await failuresOf(entries.filter((entry) => entry !== picture))).toContain(`${picture.name}: It is missing`);
    expect(await failuresOf([{ name: 'more.txt', content: Buffer.from('more') }, ...entries])).toContain(
      'more.txt: It is not in the manifest',
    );
    expect(
      await failuresOf(
        entries.map((entry) => (entry === picture ? { ...picture, name: 'documents/other.png' } : entry)),
      ),
    ).toEqual(['documents/other.png: It is not in the manifest', `${picture.name}: It is missing`]);
    expect(await failuresOf([entries[1]!, entries[0]!, ...entries.slice(2)])).toEqual([
      'README.txt: It is not at its place in the archive.',
      'application.json: It is not at its place in the archive.',
    ]);
    expect(await failuresOf(entries.slice(0, -1))).toEqual([
      'manifest.json: The archive does not end with a manifest and its signature.',
    ]);
    for (const bytes of [pack.subarray(0, -1), pack.subarray(0, 5000), Buffer.concat([pack, Buffer.alloc(1)])]) {
      expect(await verify(bytes)).toMatchObject({ status: 1, verdict: { failures: [{ entry: null }] } });
    }
  });

  it('trusts only the given key, and says who vouches', async () => {
    const stranger = createHash('sha256').update('x').digest('base64url');
    const { status, verdict } = await verify(pack, '--public-key', stranger);
    expect([status, verdict.failures]).toEqual([
      1,
      [{ entry: 'manifest.json', detail: 'It was not signed by the key.' }],
    ]);
    expect((await verify(pack, '--tenant', world.other.id)).verdict.failures).toEqual([
      { entry: null, detail: 'The pack belongs to another tenant.' },
    ]);
    writeFileSync(join(folder, 'pack.zip'), pack);
    const { stdout } = await run('verify-audit.mjs', [join(folder, 'pack.zip')]);
    expect(stdout).toContain('WARNING  the key comes from the pack itself');
    expect(stdout).toContain(`VALID    the evidence pack of application ${application.id}`);
    expect(readFileSync(join(folder, 'pack.zip')).equals(pack)).toBe(true);
  });
});
