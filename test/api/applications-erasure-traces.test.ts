/** API tests that an erasure leaves no trace of the person in the database, the files or the log. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newDecidedApplication } from '../operations/application-records.ts';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { startErasureWorld } from './applications-erasure-world.ts';
import { type Decision, rejection } from './decisions-world.ts';

const logged: string[] = [];
const world = await shared(startErasureWorld({ log: (line) => logged.push(line) }));

/**
 * Returns everything that this process has written anywhere: every row of every table, every file, every line of the
 * log.
 */
async function everythingWritten(): Promise<string[]> {
  const tables = await world.database.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => world.database.sql<{ row: string }>(`SELECT "${name}"::text AS row FROM "${name}"`)),
  );
  const folder = world.running.services.config.dataDir;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  return [...rows.flat().map(({ row }) => row), ...files, ...logged];
}

/** Returns the text as it is, and as it would look in a column of bytes, a URL, a token or a JSON text. */
function encodings(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : shift + 1)
      .replace(/.{2}=*$/, ''),
  );
  return [
    canary,
    canary.toLowerCase(),
    canary.toUpperCase(),
    bytes.toString('hex'),
    Buffer.from(canary, 'utf16le').toString('latin1'),
    encodeURIComponent(canary),
    JSON.stringify(canary).slice(1, -1),
    [...canary].reverse().join(''),
    ...base64,
  ];
}

async function found(canaries: readonly string[]): Promise<string[]> {
  const written = await everythingWritten();
  return canaries.filter((canary) =>
    encodings(canary).some((encoded) => written.some((text) => text.includes(encoded))),
  );
}

/** Texts that occur nowhere else, one for each member that takes data about a person. */
const CANARIES = {
  name: 'Quintiliana Zorzetto',
  social: 'Zizinha Zorzetto',
  mother: 'Hermengarda Zorzetto',
  email: 'quinzor@example.net',
  phone: '+5541987651234',
  line: 'Rua dos Jacarandazeiros',
  city: 'Xanxereiropolis',
  occupation: 'Domadora de lontras',
  role: 'Prefeita de Xanxerelandia',
  external: 'cust-zorzetto-77',
  meta: 'lontra-azul-42',
  file: 'foto-da-zorzetto.jpg',
  picture: 'PIXELS-OF-ZORZETTO-PASSPORT',
  ip: '203.0.113.177',
  agent: 'LontraPhone/7.7',
  message: 'Quando nasceu a senhora Zorzetto?',
  internal: 'Parece mais nova que a lontra.',
  note: 'A lontra no passaporte sorri demais.',
  applicant: 'Prezada Zorzetto, envie outra foto.',
  waiver: 'Deixou o passaporte com a lontra.',
  source: 'Noticias sobre Zorzetto',
  found: 'Zorzetto domou a lontra errada.',
  review: 'A lontra ainda nao me convenceu.',
  tin: 'TIN-ZORZ-0099',
  taxId: newCpf(),
};

const DRAFT = {
  purpose: 'account_opening',
  level: 'standard',
  externalId: CANARIES.external,
  metadata: { pet: CANARIES.meta },
  applicant: {
    fullName: CANARIES.name,
    socialName: CANARIES.social,
    motherName: CANARIES.mother,
    dateOfBirth: '1961-07-23',
    nationality: 'BR',
    taxId: { type: 'cpf', value: CANARIES.taxId },
    email: CANARIES.email,
    phone: CANARIES.phone,
    address: {
      line1: CANARIES.line,
      number: '7',
      city: CANARIES.city,
      state: 'PR',
      postalCode: '80010000',
      country: 'BR',
    },
    occupation: CANARIES.occupation,
    pepDeclaration: { isPep: true, role: CANARIES.role },
    taxResidencies: [{ country: 'US', tin: CANARIES.tin }],
  },
};

const CONSENT = {
  action: 'granted',
  purpose: 'screening',
  legalBasis: 'consent',
  textVersion: '1',
  textSha256: '0'.repeat(64),
  locale: 'pt-BR',
  channel: 'web',
  capturedAt: '2026-11-01T08:00:00.000Z',
  ip: CANARIES.ip,
  userAgent: CANARIES.agent,
};

const waive = (id: string) =>
  world.request('POST', `/v1/applications/${id}/waivers`, {
    as: world.eraser,
    body: {
      action: 'granted',
      requirementKey: 'id_document',
      reasonCode: 'other',
      note: CANARIES.waiver,
    },
  });
const attest = (id: string) =>
  world.request('POST', `/v1/applications/${id}/attestations`, {
    as: world.eraser,
    body: {
      requirementKey: 'adverse_media_clear',
      outcome: 'pass',
      source: CANARIES.source,
      lookedUpAt: world.running.services.clock().toISOString(),
      note: CANARIES.found,
    },
  });
const consent = (id: string, body: object) =>
  world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body });
const submit = (id: string) => world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });

/** Creates an application with every canary, submits it, and answers a request for information about it. */
async function inReviewWithCanaries(): Promise<{ readonly id: string; readonly documentId: string }> {
  const {
    body: { id },
  } = await world.create(DRAFT);
  expect((await waive(id)).status).toBe(201);
  expect((await attest(id)).status).toBe(201);
  const { body: document } = await world.upload(id, jpeg({ text: CANARIES.picture }), { fileName: CANARIES.file });
  await consent(id, CONSENT);
  const screening = await world.request('POST', '/v1/screenings', {
    as: await world.acme.key(['screening']),
    body: { applicationId: id },
  });
  expect(screening.status).toBe(201);
  await submit(id);
  const question = {
    requirementKey: 'identity_data',
    reasonCode: 'date_unlikely',
    messageToApplicant: CANARIES.message,
  };
  await world.ask({ id }, { items: [question], internalNote: CANARIES.internal });
  await world.request('PATCH', `/v1/applications/${id}`, {
    as: world.key,
    body: { applicant: { dateOfBirth: '1961-07-24' } },
  });
  await submit(id);
  return { id, documentId: document.id };
}

/** Rejects an application at the second attempt: the reviewer returns the first decision. */
async function reject(id: string): Promise<{ readonly reviewed: Application; readonly returned: Decision }> {
  const read = async () => (await world.get(id)).body;
  const decide = async () =>
    (await world.decide(await read(), { ...rejection, note: CANARIES.note, applicantMessage: CANARIES.applicant }))
      .body;
  const returned = await decide();
  const verdict = { verdict: 'return', note: CANARIES.review };
  expect((await world.review(await read(), returned, verdict)).status).toBe(200);
  const reviewed = await read();
  expect((await world.review(reviewed, await decide())).status).toBe(200);
  expect((await read()).status).toBe('rejected');
  return { reviewed, returned };
}

describe('an erasure', () => {
  it('leaves no trace of the person in the database, the files and the log, whatever the encoding, and the audit log still verifies', async () => {
    const auditor = await world.acme.user('auditor');
    const { id, documentId } = await inReviewWithCanaries();
    const { reviewed, returned } = await reject(id);
    // The search finds what is stored in plain: what people and programs search by, and the names of files. The rest is
    // sealed.
    const { name, external, meta, file } = CANARIES;
    expect(await found(Object.values(CANARIES))).toEqual([name, external, meta, file]);

    await world.running.runJob('audit.checkpoint');
    const { body: events } = await world.request<{ items: { id: string }[] }>(
      'GET',
      `/v1/audit/events?resourceId=${id}`,
      { as: auditor },
    );
    const proof = () => world.request('GET', `/v1/audit/events/${events.items[0]!.id}/proof`, { as: auditor });
    const before = await proof();
    await world.age(id, '2019-05-05T12:00:00Z');
    const answer = await world.erase(id, { reason: 'data_subject_request', requestRef: 'dsr-118' });
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        applicationId: id,
        reason: 'data_subject_request',
        requestRef: 'dsr-118',
        documents: 1,
        erasedAt: answer.body.erasedAt,
      },
    ]);

    expect(await found(Object.values(CANARIES))).toEqual([]);
    expect((await proof()).body).toEqual(before.body);
    expect((await world.request('POST', '/v1/audit/verify', { as: auditor, body: {} })).body).toMatchObject({
      valid: true,
    });
    expect((await world.acme.audit()).filter(({ resource_id }) => resource_id === id).at(-1)).toMatchObject({
      action: 'subject.erased',
    });
    const evidence = await world.database.sql(
      'SELECT status, evidence_digest, made_by FROM decision WHERE application_id = $1 ORDER BY created_at',
      [id],
    );
    expect(evidence).toMatchObject([
      { status: 'returned', evidence_digest: returned.evidenceDigest, made_by: { type: 'user' } },
      { status: 'effective' },
    ]);
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/timeline'],
      ['GET', `/documents/${documentId}/content`],
      ['PATCH', '', { level: 'standard' }],
      ['POST', '/submit'],
      ['POST', '/withdraw', { reasonCode: 'other' }],
      ['DELETE', `/documents/${documentId}`],
      ['POST', '/end-relationship', { reasonCode: 'other' }],
      ['POST', '/erase', { reason: 'retention_expired' }],
      ['POST', '/reopen', { reasonCode: 'new_evidence', note: 'Something new has come.', requestedBy: 'applicant' }],
    ] as const) {
      const refused = await world.request(method, `/v1/applications/${id}${path}`, { as: world.eraser, body });
      expect([method, path, refusal(refused)]).toEqual([method, path, [410, 'erased']]);
    }
    const refusals = await Promise.all([
      world.upload(id, jpeg({ text: 'too late' })),
      consent(id, { ...CONSENT, ip: null, userAgent: null }),
      world.ask({ id }),
      world.decide(reviewed, rejection),
      world.review(reviewed, returned),
      waive(id),
      attest(id),
    ]);
    expect(refusals.map(refusal)).toEqual(refusals.map(() => [410, 'erased']));
    const { body: list } = await world.request<{ items: { id: string }[] }>('GET', '/v1/applications?limit=100', {
      as: world.key,
    });
    expect(list.items.map((item) => item.id)).not.toContain(id);
  });

  it('leaves no trace of a list entry that repeats the person in the sandbox', async () => {
    const tenant = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    const [fullName, dateOfBirth] = ['Quitandeira Zugmaier', '1957-02-26'];
    const id = await newDecidedApplication(world, tenant, { fullName, dateOfBirth });
    const simulated = await world.request('POST', '/v1/sandbox/simulations', {
      as: await tenant.key(['admin']),
      body: { type: 'list_update_hit', target: { type: 'application', id } },
    });
    expect(simulated.status).toBe(202);
    expect(await found([fullName, dateOfBirth])).toEqual([fullName]);
    await world.endRelationship(id, undefined, await tenant.key(['write']));
    await world.age(id, '2009-05-05T12:00:00Z');
    const eraser = await tenant.user('compliance_officer', { secondFactor: true });
    expect((await world.erase(id, { reason: 'retention_expired' }, eraser)).status).toBe(202);
    expect(await found([fullName, dateOfBirth])).toEqual([]);
  });
});
