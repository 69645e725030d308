import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/types.ts';
import { sweepFiles } from '../../server/modules/documents/store.ts';
import { newDecidedApplication } from '../operations/application-records.ts';
import { newCpf } from '../support/cpf.ts';
import { fileDigests } from '../support/production.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal, type Refusal } from './applications-world.ts';
import { exposed, rejection, startDecisionWorld } from './decisions-world.ts';

type Erasure = components['schemas']['Erasure'];

const logged: string[] = [];
const world = await shared(startDecisionWorld({ log: (line) => logged.push(line) }));
let officer: Credential;
beforeAll(async () => {
  officer = await world.acme.user('compliance_officer', { secondFactor: true });
});

const erase = (
  id: string,
  body: object = { reason: 'data_subject_request' },
  as: Credential = officer,
  headers: Record<string, string> = {},
): Promise<Answer<Erasure & Refusal>> => world.request('POST', `/v1/applications/${id}/erase`, { as, body, headers });
const endRelationship = (
  id: string,
  body: object = { reasonCode: 'customer_request' },
  as: Credential = world.key,
): Promise<Answer<Application & Refusal>> =>
  world.request('POST', `/v1/applications/${id}/end-relationship`, { as, body });
const approved = async (): Promise<Application> => {
  const application = await world.inReview();
  await world.decide(application);
  return application;
};
/** Moves the application's dates many years into the past. */
const age = (id: string, ended: string): Promise<unknown> =>
  world.database.sql(
    `UPDATE application SET submitted_at = $2, decided_at = $2, updated_at = $2, relationship_ended_at = CASE
      WHEN relationship_ended_at IS NOT NULL THEN $2::timestamptz END WHERE id = $1`,
    [id, ended],
  );

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

const storedFiles = async (): Promise<number> =>
  Object.keys(await fileDigests(world.running.services.config.dataDir)).length;

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

describe('an erasure', () => {
  it('leaves no trace of the person in the database, the files and the log, whatever the encoding, and the audit log still verifies', async () => {
    const auditor = await world.acme.user('auditor');
    const canaries = {
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
    const { body: draft } = await world.create({
      purpose: 'account_opening',
      level: 'standard',
      externalId: canaries.external,
      metadata: { pet: canaries.meta },
      applicant: {
        fullName: canaries.name,
        socialName: canaries.social,
        motherName: canaries.mother,
        dateOfBirth: '1961-07-23',
        nationality: 'BR',
        taxId: { type: 'cpf', value: canaries.taxId },
        email: canaries.email,
        phone: canaries.phone,
        address: {
          line1: canaries.line,
          number: '7',
          city: canaries.city,
          state: 'PR',
          postalCode: '80010000',
          country: 'BR',
        },
        occupation: canaries.occupation,
        pepDeclaration: { isPep: true, role: canaries.role },
        taxResidencies: [{ country: 'US', tin: canaries.tin }],
      },
    });
    const { id } = draft;
    const waive = () =>
      world.request('POST', `/v1/applications/${id}/waivers`, {
        as: officer,
        body: {
          action: 'granted',
          requirementKey: 'id_document',
          reasonCode: 'other',
          note: canaries.waiver,
        },
      });
    expect((await waive()).status).toBe(201);
    const attest = () =>
      world.request('POST', `/v1/applications/${id}/attestations`, {
        as: officer,
        body: {
          requirementKey: 'adverse_media_clear',
          outcome: 'pass',
          source: canaries.source,
          lookedUpAt: world.running.services.clock().toISOString(),
          note: canaries.found,
        },
      });
    expect((await attest()).status).toBe(201);
    const { body: document } = await world.upload(id, jpeg({ text: canaries.picture }), { fileName: canaries.file });
    const consent = {
      action: 'granted',
      purpose: 'screening',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'web',
      capturedAt: '2026-11-01T08:00:00.000Z',
      ip: canaries.ip,
      userAgent: canaries.agent,
    };
    await world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body: consent });
    expect(
      (
        await world.request('POST', '/v1/screenings', {
          as: await world.acme.key(['screening']),
          body: { applicationId: id },
        })
      ).status,
    ).toBe(201);
    await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
    await world.ask(
      { id },
      {
        items: [{ requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: canaries.message }],
        internalNote: canaries.internal,
      },
    );
    await world.request('PATCH', `/v1/applications/${id}`, {
      as: world.key,
      body: { applicant: { dateOfBirth: '1961-07-24' } },
    });
    await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
    const decide = async () =>
      (
        await world.decide((await world.get(id)).body, {
          ...rejection,
          note: canaries.note,
          applicantMessage: canaries.applicant,
        })
      ).body;
    const returned = await decide();
    expect(
      (await world.review((await world.get(id)).body, returned, { verdict: 'return', note: canaries.review })).status,
    ).toBe(200);
    const { body: reviewed } = await world.get(id);
    expect((await world.review(reviewed, await decide())).status).toBe(200);
    expect((await world.get(id)).body.status).toBe('rejected');
    // The search finds what is stored in plain: what people and programs search by, and the names of files. The rest is
    // sealed.
    const { name, external, meta, file } = canaries;
    expect(await found(Object.values(canaries))).toEqual([name, external, meta, file]);

    await world.running.runJob('audit.checkpoint');
    const { body: events } = await world.request<{ items: { id: string }[] }>(
      'GET',
      `/v1/audit/events?resourceId=${id}`,
      { as: auditor },
    );
    const proof = () => world.request('GET', `/v1/audit/events/${events.items[0]!.id}/proof`, { as: auditor });
    const before = await proof();
    await age(id, '2019-05-05T12:00:00Z');
    const answer = await erase(id, { reason: 'data_subject_request', requestRef: 'dsr-118' });
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

    expect(await found(Object.values(canaries))).toEqual([]);
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
      ['GET', `/documents/${document.id}/content`],
      ['PATCH', '', { level: 'standard' }],
      ['POST', '/submit'],
      ['POST', '/withdraw', { reasonCode: 'other' }],
      ['DELETE', `/documents/${document.id}`],
      ['POST', '/end-relationship', { reasonCode: 'other' }],
      ['POST', '/erase', { reason: 'retention_expired' }],
      ['POST', '/reopen', { reasonCode: 'new_evidence', note: 'Something new has come.', requestedBy: 'applicant' }],
    ] as const) {
      expect([
        method,
        path,
        refusal(await world.request(method, `/v1/applications/${id}${path}`, { as: officer, body })),
      ]).toEqual([method, path, [410, 'erased']]);
    }
    const refusals = await Promise.all([
      world.upload(id, jpeg({ text: 'too late' })),
      world.request('POST', `/v1/applications/${id}/consents`, {
        as: world.key,
        body: { ...consent, ip: null, userAgent: null },
      }),
      world.ask({ id }),
      world.decide(reviewed, rejection),
      world.review(reviewed, returned),
      waive(),
      attest(),
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
    const id = await newDecidedApplication(world, tenant, {
      fullName: 'Quitandeira Zugmaier',
      dateOfBirth: '1957-02-26',
    });
    const body = { type: 'list_update_hit', target: { type: 'application', id } };
    expect(
      (await world.request('POST', '/v1/sandbox/simulations', { as: await tenant.key(['admin']), body })).status,
    ).toBe(202);
    expect(await found(['Quitandeira Zugmaier', '1957-02-26'])).toEqual(['Quitandeira Zugmaier']);
    await endRelationship(id, undefined, await tenant.key(['write']));
    await age(id, '2009-05-05T12:00:00Z');
    expect(
      (
        await erase(
          id,
          { reason: 'retention_expired' },
          await tenant.user('compliance_officer', { secondFactor: true }),
        )
      ).status,
    ).toBe(202);
    expect(await found(['Quitandeira Zugmaier', '1957-02-26'])).toEqual([]);
  });

  it('frees the external id and the person, who may apply again with the same files', async () => {
    const taxId = { type: 'cpf', value: newCpf() };
    const first = await world.complete({
      externalId: 'cust-again',
      applicant: { fullName: 'Ana Souza', dateOfBirth: '1990-04-12', taxId },
    });
    const picture = jpeg({ text: 'the same picture' });
    await world.upload(first.id, picture);
    expect((await erase(first.id)).status).toBe(202);
    const second = await world.complete({
      externalId: 'cust-again',
      applicant: { fullName: 'Ana Souza', dateOfBirth: '1990-04-12', taxId },
    });
    expect((await world.upload(second.id, picture)).body.signals).toEqual([]);
  });

  it('happens once, however many request it at once', async () => {
    const { id } = await world.complete();
    const answers = await Promise.all(Array.from({ length: 4 }, () => erase(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 410, 410, 410]);
  });

  it('gives the same answer to a repetition with the same key', async () => {
    const { id } = await world.complete();
    const [first, again] = [
      await erase(id, undefined, officer, { 'Idempotency-Key': 'erase-once' }),
      await erase(id, undefined, officer, { 'Idempotency-Key': 'erase-once' }),
    ];
    expect([first.status, again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      202,
      first.body,
      'true',
    ]);
  });

  it('removes files later if the storage is down', async () => {
    const before = await storedFiles();
    const { id } = await world.complete();
    await world.upload(id, jpeg({ text: id }));
    const { files } = world.running.services;
    const removal = files.delete.bind(files);
    files.delete = () => Promise.reject(new Error('the disk is gone'));
    expect((await erase(id)).status).toBe(202);
    files.delete = removal;
    expect(await storedFiles()).toBe(before + 1);
    await sweepFiles(world.database.database, files, new Date(Date.now() + 2 * 3_600_000));
    expect(await storedFiles()).toBe(before);
  });

  it.each([
    ['somebody who is no compliance officer', 'analyst', [403, 'role_forbidden']],
    ['an owner', 'owner', [403, 'role_forbidden']],
  ] as const)('is refused to %s', async (_, role, expected) => {
    const { id } = await world.complete();
    expect(refusal(await erase(id, undefined, await world.acme.user(role, { secondFactor: true })))).toEqual(expected);
    expect((await world.get(id)).status).toBe(200);
  });

  it('is refused to a key, to another tenant, and without a fresh second factor', async () => {
    const { id } = await world.complete();
    expect(refusal(await erase(id, undefined, await world.acme.key(['admin'])))).toEqual([403, 'human_required']);
    expect(
      refusal(await erase(id, undefined, await world.other.user('compliance_officer', { secondFactor: true }))),
    ).toEqual([404, 'not_found']);
    expect(refusal(await erase(id, undefined, world.officer))).toEqual([403, 'step_up_required']);
    expect((await world.get(id)).status).toBe(200);
  });

  it.each([
    [{}, '/reason required'],
    [{ reason: 'boredom' }, '/reason enum'],
    [{ reason: 'data_subject_request', requestRef: 'Maria da Silva' }, '/requestRef pattern'],
    [{ reason: 'data_subject_request', requestRef: 'x'.repeat(101) }, '/requestRef too_long'],
  ])('is refused with %o', async (body, fault) => {
    const { id } = await world.complete();
    const [status, code, ...faults] = refusal(await erase(id, body));
    expect([status, code, faults]).toEqual([422, 'validation_failed', expect.arrayContaining([fault])]);
  });

  it('is refused while the application is under review: it must be withdrawn first', async () => {
    const application = await world.inReview();
    expect((await erase(application.id)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'in_review',
      allowedTransitions: expect.arrayContaining(['withdrawn']),
    });
  });
});

describe('the law requires keeping a record', () => {
  const hold = async (id: string) => {
    const {
      status,
      body: { code, holdUntil, legalBasis },
    } = (await erase(id)) as Answer<
      Erasure & Refusal & Pick<components['schemas']['Problem'], 'holdUntil' | 'legalBasis'>
    >;
    return [status, code, holdUntil, legalBasis?.split(',')[0]];
  };

  it('of a customer without end, and for ten years once the relationship has ended', async () => {
    const { id } = await approved();
    expect(await hold(id)).toEqual([409, 'retention_hold', null, 'Circular BCB 3.978/2020']);
    await endRelationship(id);
    await age(id, '2026-03-15T12:00:00Z');
    expect(await hold(id)).toEqual([409, 'retention_hold', '2036-12-31', 'Circular BCB 3.978/2020']);
    await age(id, '2015-03-15T12:00:00Z');
    expect((await hold(id))[0]).toBe(202);
  });

  it('of a rejected person for five years, from the decision, to the last day', async () => {
    const application = await world.inReview();
    await world.decide(application, rejection);
    const year = Number(
      new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'America/Sao_Paulo' }).format(new Date()),
    );
    await age(application.id, `${year - 5}-01-01T03:00:00Z`);
    expect(await hold(application.id)).toEqual([409, 'retention_hold', `${year}-12-31`, 'Lei 9.613/1998']);
    await age(application.id, `${year - 5}-01-01T02:59:59Z`);
    expect((await hold(application.id))[0]).toBe(202);
  });

  it('of an applicant who withdrew, from then on; and not of a draft that was never submitted', async () => {
    const { id } = await world.inReview();
    await world.request('POST', `/v1/applications/${id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    expect((await hold(id)).slice(0, 2)).toEqual([409, 'retention_hold']);
    const draft = await world.complete();
    await world.request('POST', `/v1/applications/${draft.id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    expect((await hold(draft.id))[0]).toBe(202);
  });
});

describe('the end of a relationship', () => {
  it('is recorded once, with its time, and changes nothing of the approval', async () => {
    const { id } = await approved();
    const { body: before } = await world.get(id);
    const { status, body } = await endRelationship(id, {
      reasonCode: 'customer_request',
      note: 'The account was closed.',
      endedAt: before.decidedAt,
    });
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        relationshipEndedAt: before.decidedAt,
        statusNote: 'The account was closed.',
        version: before.version + 1,
        updatedAt: body.updatedAt,
      },
    ]);
    expect(refusal(await endRelationship(id))).toEqual([409, 'relationship_ended']);
    expect(
      (await world.acme.audit()).filter(({ resource_id }) => resource_id === id).map(({ action }) => action),
    ).toContain('application.relationship_ended');
  });

  it('cannot lie before the approval or in the future', async () => {
    const { id } = await approved();
    for (const endedAt of ['2020-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()]) {
      expect(refusal(await endRelationship(id, { reasonCode: 'other', endedAt }))).toEqual([
        422,
        'validation_failed',
        '/endedAt range',
      ]);
    }
    expect((await world.get(id)).body.relationshipEndedAt).toBeNull();
  });

  it('requires a customer: nobody else has a relationship', async () => {
    const { id } = await world.inReview(exposed);
    expect((await endRelationship(id)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'in_review',
    });
  });

  it('is undone when the application is reopened', async () => {
    const { id } = await approved();
    await endRelationship(id);
    expect((await world.reopen((await world.get(id)).body)).body).toMatchObject({
      status: 'in_review',
      relationshipEndedAt: null,
    });
  });
});
