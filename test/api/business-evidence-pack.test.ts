/** Tests of the evidence pack of a business, which must hold everything about it and verify offline. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceDigest, type EvidenceManifest } from '../../server/rules/evidence.ts';
import { branchOf, newCnpj } from '../operations/business-records.ts';
import { newActivePower, newEvaluation, newPower } from '../operations/powers.ts';
import { success } from '../support/api.ts';
import { type Credential, useService } from '../support/service.ts';
import { auditor } from './audit-world.ts';
import { type Business, businessWorld, graph, newBusinessDocument, wholeGraph } from './business-world.ts';
import { entriesOf, startEvidencePackWorld } from './evidence-pack-world.ts';

const { folder, verify, zipOf } = await startEvidencePackWorld();
const service = await useService();
const { acme } = service;
const { officer, analyst, call, read, own, waiting, review, erase } = await businessWorld(service);
afterAll(() => rmSync(folder, { recursive: true }));

async function download(id: string, as: Credential = officer): Promise<{ status: number; bytes: Buffer }> {
  // The log can be signed again only some seconds after the last signature.
  service.advance(11_000);
  const answer = await fetch(`${service.url}/v1/businesses/${id}/evidence-pack`, { headers: as });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

let business: Business;
let pack: Buffer;
let publicKey: string;

beforeAll(async () => {
  const { id } = await waiting();
  await newBusinessDocument(service, acme, id);
  await own(id, graph);
  await own(id, wholeGraph);
  await newActivePower(service, acme, id);
  await newEvaluation(service, acme, id);
  const { evidenceDigest: current = '' } = await read(id);
  const { body: decision } = await call<{ id: string }>('POST', `${id}/decisions`, {
    as: analyst,
    body: {
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['document_unreadable'],
      note: 'The articles cannot be read.',
      evidenceDigest: current,
    },
  });
  await review(id, decision.id, current);
  business = await read(id);
  pack = (await download(id)).bytes;
  const {
    body: {
      publicKeys: [first],
    },
  } = await success(auditor(service, await acme.user('auditor')).checkpoints());
  publicKey = first!.x;
});

describe('the evidence pack of a business', () => {
  it('contains everything that is known of it, and verifies offline with the key of the service', async () => {
    const { status, verdict } = await verify(pack, '--public-key', publicKey);
    expect([status, verdict]).toMatchObject([
      0,
      {
        valid: true,
        failures: [],
        decisions: 2,
        businessId: business.id,
      },
    ]);
    const files = new Map(entriesOf(pack).map(({ name, content }) => [name, String(content)]));
    const json = (name: string): unknown => JSON.parse(files.get(name)!);
    const lines = (name: string) =>
      files
        .get(name)!
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(json('business.json')).toEqual(business);
    expect(lines('ownership.ndjson')).toMatchObject([
      { version: 1, graph: { parties: graph.parties } },
      { version: 2, graph: { parties: wholeGraph.parties }, assessment: { complete: true } },
    ]);
    expect(json('powers.json')).toMatchObject({ items: [{ status: 'active', rules: [{}, {}] }] });
    expect(lines('signing-evaluations.ndjson')).toMatchObject([{ result: 'indeterminate', reproducible: true }]);
    expect([...files.keys()].filter((name) => name.startsWith('documents/'))).toHaveLength(business.documents!.length);
    for (const { id, evidenceDigest: digest } of business.decisions!)
      expect(evidenceDigest(json(`evidence/${id}.json`) as EvidenceManifest)).toBe(digest);
    const kinds = (json('evidence/current.json') as EvidenceManifest).items.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['business', 'ownership', 'power', 'document', 'policy']));
    const actions = lines('audit/events.ndjson').flatMap(({ event }) => (event as { action?: string })?.action ?? []);
    expect(actions).toEqual(
      expect.arrayContaining([
        'business.created',
        'ownership.replaced',
        'power.confirmed',
        'signing.evaluated',
        'decision.invalidated',
        'decision.confirmed',
      ]),
    );
  });

  it('does not verify once its record, its owners or its company are others', async () => {
    const entries = entriesOf(pack);
    const failuresOf = async (name: string, change: (text: string) => string) => {
      const changed = entries.map((entry) =>
        entry.name === name ? { name, content: Buffer.from(change(String(entry.content))) } : entry,
      );
      const { status, verdict } = await verify(zipOf(changed, pack), '--public-key', publicKey);
      return [status, verdict.failures.map(({ entry }) => entry)];
    };
    expect(await failuresOf('business.json', (text) => text.replace('Aurora', 'Boreal'))).toEqual([
      1,
      ['business.json'],
    ]);
    expect(await failuresOf('ownership.ndjson', (text) => text.replace('60', '61'))).toEqual([1, ['ownership.ndjson']]);
  });

  it('is refused to callers who see persons masked, and recorded in the log with its content', async () => {
    const masked = await acme.key(['read'], { personalData: 'masked' });
    const refused = await call('GET', `${business.id}/evidence-pack`, { as: masked });
    expect([refused.status, refused.body.code]).toEqual([403, 'personal_data_masked']);
    expect((await download(business.id, await acme.key(['write']))).status).toBe(403);
    expect((await download(business.id, await acme.key(['read']))).status).toBe(200);
    const exported = (await acme.audit()).filter(({ action }) => action === 'evidence_pack.exported');
    expect(exported.map(({ resource_id: about }) => about)).toEqual([business.id, business.id]);
  });

  it('contains of a branch the confirmed articles of its head office, and of others no such file', async () => {
    const as = await acme.key(['kyb']);
    const number = newCnpj();
    const record = (of: string) =>
      success(
        service.api.POST('/v1/businesses', {
          headers: as,
          body: { legalName: 'Padaria Aurora Ltda', legalForm: 'ltda', registration: { type: 'cnpj', number: of } },
        }),
        201,
      );
    const { body: head } = await record(number);
    await own(head.id, graph);
    const powerId = await newActivePower(service, acme, head.id);
    await newPower(service, acme, head.id);
    const { body: branch } = await record(branchOf(number));
    const entries = entriesOf((await download(branch.id)).bytes);
    const { content } = entries.find(({ name }) => name === 'head-office-powers.json')!;
    expect(JSON.parse(String(content))).toMatchObject({ items: [{ id: powerId, status: 'active' }] });
    expect((JSON.parse(String(content)) as { items: unknown[] }).items).toHaveLength(1);
    expect(entriesOf(pack).map(({ name }) => name)).not.toContain('head-office-powers.json');
  });

  it('is not made of an erased business', async () => {
    const { id } = await waiting();
    await call('POST', `${id}/withdraw`, { body: { reasonCode: 'duplicate' } });
    await service.database.sql(
      `UPDATE business SET submitted_at = '2015-01-01', decided_at = '2015-01-01', updated_at = '2015-01-01'
        WHERE id = $1`,
      [id],
    );
    expect((await erase(id)).status).toBe(202);
    expect((await download(id)).status).toBe(410);
  });
});
