/** Tests of the package against the running service. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as sdk from '../src/index.ts';
import { connect, live, person, png } from './support/live.ts';

/** Every operation of the contract, through the package, against a running service and its demo tenant. */
const machine = connect({ clientId: live.clientId, clientSecret: live.clientSecret });
const liveKey = connect({ apiKey: live.apiKey });
const testKey = connect({ apiKey: live.testKey });
let session: sdk.TokenPair;
let owner: sdk.ComplianceOnboarding;

beforeAll(async () => {
  session = await connect({}).auth.login({ email: live.email, password: live.password });
  owner = connect({ accessToken: session.accessToken });
  await owner.sandbox.enable();
});

afterAll(async () => {
  await owner.sandbox.disable();
});

const refused = (call: PromiseLike<unknown>): Promise<sdk.ApiError> =>
  Promise.resolve(call).then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error as sdk.ApiError,
  );

describe('auth', () => {
  it('signs a person in and returns the person', async () => {
    expect(session).toMatchObject({ tokenType: 'Bearer', user: { email: live.email } });
    const me = await owner.auth.getCurrentUser();
    expect([me.user.id, me.tenant.id]).toEqual([session.user.id, session.user.tenantId]);
  });

  it('refreshes a session and ends it', async () => {
    const first = await connect({}).auth.login({ email: live.email, password: live.password });
    const second = await connect({}).auth.refresh({ refreshToken: first.refreshToken });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const client = connect({ accessToken: second.accessToken });
    expect(await client.auth.logout()).toBeUndefined();
    expect(await refused(client.auth.getCurrentUser())).toBeInstanceOf(sdk.AuthenticationError);
  });

  it('refuses a wrong password', async () => {
    const error = await refused(connect({}).auth.login({ email: `${randomUUID()}@example.com`, password: 'wrong' }));
    expect(error).toBeInstanceOf(sdk.AuthenticationError);
    expect([error.code, error.requestId]).toEqual(['invalid_credentials', expect.any(String)]);
  });
});

describe('oauth', () => {
  it('issues a token for the client', async () => {
    const token = await connect({}).oauth.token.create({
      grant_type: 'client_credentials',
      client_id: live.clientId,
      client_secret: live.clientSecret,
      scope: 'read',
    });
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'read' });
    expect(token.expires_in).toBeGreaterThan(0);
    await connect({ accessToken: token.access_token }).applications.list({ limit: 1 });
  });

  it('sends the credentials by HTTP Basic as well', async () => {
    const headers = { Authorization: `Basic ${btoa(`${live.clientId}:${live.clientSecret}`)}` };
    const token = await connect({}).oauth.token.create({ grant_type: 'client_credentials' }, { headers });
    expect(token.token_type).toBe('Bearer');
  });

  it('names a wrong secret in the words of OAuth', async () => {
    const error = await refused(connect({ clientId: live.clientId, clientSecret: 'wrong' }).applications.list());
    expect(error).toBeInstanceOf(sdk.OAuthError);
    expect(error).toMatchObject({ status: 401, error: 'invalid_client' });
  });
});

describe('applications', () => {
  it('creates one in the sandbox with a test key, and marks it', async () => {
    const { data, response } = await testKey.applications.create(person()).withResponse();
    expect(data).toMatchObject({ status: 'draft', environment: 'sandbox', metadata: { sandbox: true } });
    expect([response.status, response.headers.get('x-environment')]).toEqual([201, 'sandbox']);
    expect(await testKey.applications.get(data.id)).toMatchObject({
      id: data.id,
      applicant: { fullName: 'Maria da Silva' },
    });
  });

  it('creates only one, however often the call with its key is repeated', async () => {
    const [body, idempotencyKey] = [person(), randomUUID()];
    const first = await testKey.applications.create(body, { idempotencyKey });
    const again = await testKey.applications.create(body, { idempotencyKey }).withResponse();
    expect([again.data.id, again.response.headers.get('idempotent-replayed')]).toEqual([first.id, 'true']);
    expect(await refused(testKey.applications.create(person(), { idempotencyKey }))).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it('walks a list page by page to its end', async () => {
    const marker = `walk-${randomUUID()}`;
    const made = await Promise.all(
      [1, 2, 3].map((number) => testKey.applications.create({ ...person(), externalId: `${marker}-${number}` })),
    );
    // They are created at the same time, so any of them may be the first.
    const createdAfter = made.map(({ createdAt }) => createdAt).sort()[0]!;
    const found: string[] = [];
    for await (const application of testKey.applications.list({ limit: 2, createdAfter })) {
      if (application.externalId?.startsWith(marker)) found.push(application.id);
    }
    expect(found.sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it('changes a draft, and refuses to overwrite an unseen change', async () => {
    const { data, response } = await testKey.applications.create(person()).withResponse();
    const ifMatch = response.headers.get('etag') ?? undefined;
    const changed = await testKey.applications.update(
      data.id,
      { applicant: { phone: '+5541988887777', email: null } },
      { ifMatch },
    );
    expect(changed).toMatchObject({ version: data.version + 1, applicant: { phone: '+5541988887777', email: null } });
    expect(await refused(testKey.applications.update(data.id, { level: 'basic' }, { ifMatch }))).toBeInstanceOf(
      sdk.PreconditionFailedError,
    );
  });

  it('refuses to submit an incomplete one, and names what is missing', async () => {
    const { id } = await testKey.applications.create({
      purpose: 'account_opening',
      applicant: { fullName: 'Ana Souza' },
    });
    const error = await refused(testKey.applications.submit(id));
    expect(error).toBeInstanceOf(sdk.UnprocessableContentError);
    expect(error).toMatchObject({ code: 'requirements_missing' });
  });

  it('stores a document, returns it byte for byte, and submits', async () => {
    const file = png();
    const { id } = await testKey.applications.create(person());
    const document = await testKey.applications.documents.upload(id, {
      file: { name: 'passport.png', data: file },
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: '2039-05-01',
    });
    expect(document).toMatchObject({
      fileName: 'passport.png',
      mimeType: 'image/png',
      sizeBytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
    const download = await testKey.applications.documents.download(id, document.id);
    expect([download.contentType, download.filename]).toEqual(['image/png', 'passport.png']);
    expect(await download.bytes()).toEqual(file);
    expect((await testKey.applications.get(id)).requirements).toMatchObject({ met: true });
    expect(await testKey.applications.submit(id)).toMatchObject({ id, status: 'in_review' });
    expect(await refused(testKey.applications.update(id, { level: 'enhanced' }))).toBeInstanceOf(sdk.ConflictError);
  });

  it('refuses a file that is not allowed as a document', async () => {
    const { id } = await testKey.applications.create(person());
    const error = await refused(
      testKey.applications.documents.upload(id, { file: new TextEncoder().encode('not a passport'), type: 'passport' }),
    );
    expect(error).toBeInstanceOf(sdk.UnsupportedMediaTypeError);
  });

  it('withdraws one, once', async () => {
    const { id } = await testKey.applications.create(person());
    expect(await testKey.applications.withdraw(id, { reasonCode: 'applicant_request' })).toMatchObject({
      status: 'withdrawn',
    });
    expect(await refused(testKey.applications.withdraw(id, { reasonCode: 'duplicate' }))).toMatchObject({
      status: 409,
      code: 'invalid_state_transition',
    });
  });

  it('answers not found for a missing one, and lists every invalid member at once', async () => {
    expect(await refused(liveKey.applications.get(randomUUID()))).toBeInstanceOf(sdk.NotFoundError);
    const error = await refused(
      testKey.applications.create({ purpose: 'account_opening', applicant: { fullName: '', nationality: 'Brazil' } }),
    );
    expect(error.problem?.errors?.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/applicant/fullName', '/applicant/nationality']),
    );
  });
});

describe('API keys', () => {
  it('are created, listed, changed, given other scopes, rotated and revoked', async () => {
    const keys = owner.settings.apiKeys;
    const { apiKey, secret } = await keys.create({ name: 'SDK test', environment: 'test', scopes: ['read'] });
    expect(secret.startsWith(`${apiKey.prefix}_`)).toBe(true);
    const narrow = connect({ apiKey: secret });
    const error = await refused(narrow.applications.create(person()));
    expect(error).toBeInstanceOf(sdk.PermissionDeniedError);
    expect(error.problem?.requiredScopes).toContain('write');

    expect(await keys.update(apiKey.prefix, { name: 'SDK test, renamed' })).toMatchObject({
      name: 'SDK test, renamed',
    });
    expect((await keys.replaceScopes(apiKey.prefix, { scopes: ['read', 'write'] })).scopes).toEqual(['read', 'write']);
    await narrow.applications.create(person());

    const rotated = await keys.rotate(apiKey.prefix, { graceHours: 1 });
    expect(rotated.apiKey.scopes).toEqual(['read', 'write']);
    await Promise.all([
      narrow.applications.list({ limit: 1 }),
      connect({ apiKey: rotated.secret }).applications.list({ limit: 1 }),
    ]);

    const prefixes: string[] = [];
    for await (const key of keys.list({ limit: 2 })) prefixes.push(key.prefix);
    expect(prefixes).toEqual(expect.arrayContaining([apiKey.prefix, rotated.apiKey.prefix]));

    for (const { prefix } of [apiKey, rotated.apiKey]) expect(await keys.revoke(prefix)).toBeUndefined();
    expect(await refused(narrow.applications.list())).toBeInstanceOf(sdk.AuthenticationError);
  });
});

describe('the funds-recovery feed', () => {
  for (const [who, client] of [
    ['an OAuth client', machine],
    ['an API key, traded for a token', liveKey],
  ] as const) {
    it(`is read to its end by ${who}, without gap or repetition, and continues from a saved cursor`, async () => {
      const ids: string[] = [];
      let cursor: string | null = null;
      for await (const page of client.fundsRecovery.events.list({ limit: 2 }).pages()) {
        ids.push(...page.items.map(({ eventId }) => eventId));
        cursor = page.cursor;
      }
      expect(new Set(ids).size).toBe(ids.length);
      if (cursor !== null) expect((await client.fundsRecovery.events.list({ cursor })).items).toEqual([]);
    });
  }

  it('refuses a cursor that it did not create', async () => {
    expect(await refused(machine.fundsRecovery.events.list({ cursor: 'made-up' }))).toMatchObject({
      status: 400,
      code: 'invalid_cursor',
    });
  });
});

describe('the sandbox', () => {
  it('shows its state, is switched, and is emptied', async () => {
    expect(await owner.sandbox.get()).toMatchObject({ enabled: true });
    await testKey.applications.create(person());
    expect((await owner.sandbox.deleteData()).deleted.applications).toBeGreaterThan(0);
    expect(await owner.sandbox.disable()).toMatchObject({ enabled: false, counts: { applications: 0 } });
    expect(await refused(testKey.applications.create(person()))).toMatchObject({
      status: 403,
      code: 'sandbox_disabled',
    });
    expect(await owner.sandbox.enable()).toMatchObject({ enabled: true });
  });
});
