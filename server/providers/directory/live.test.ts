/** Tests of the configuration for the production directory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryConfig } from '../../base/config.ts';
import { type Authority, openAuthority } from './authority.ts';
import { openLiveDirectory } from './live.ts';
import { sendXml, signedAnswer, startTestDirectory, type TestDirectory } from './testing/test-directory.ts';

const ispb = '90000001';
const entry = {
  ispb,
  tenant: 'acme',
  certificate: 'client.crt',
  key: 'client.key',
};

let folder: string;
let authority: Authority;
let server: TestDirectory;
let config: DirectoryConfig;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'directory-live-'));
  authority = await openAuthority(join(folder, 'authority'));
  server = await startTestDirectory(authority);
  const { certificate, key } = await authority.client(ispb);
  await Promise.all([
    writeFile(join(folder, 'client.crt'), certificate),
    writeFile(join(folder, 'client.key'), key),
    writeFile(join(folder, 'other.key'), (await authority.client('90000002')).key),
    writeFile(join(folder, 'ca.crt'), authority.certificate),
    writeFile(join(folder, 'signer.crt'), authority.signer.certificate.toString()),
    writeFile(join(folder, 'empty'), ''),
  ]);
});
beforeEach(() => {
  config = {
    url: server.url,
    authorities: join(folder, 'ca.crt'),
    signer: join(folder, 'signer.crt'),
    participants: join(folder, 'participants.json'),
  };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const list = (content: unknown): Promise<void> =>
  writeFile(join(folder, 'participants.json'), typeof content === 'string' ? content : JSON.stringify(content));

describe('the production directory', () => {
  it('is called with the files that the operator has configured', async () => {
    await list([{ ...entry, includeIndirect: true }]);
    const xml = signedAnswer(authority.signer, 'ListEventNotificationsResponse', {});
    server.answer((_, response) => sendXml(response, xml));
    const { directory, participants } = await openLiveDirectory(config);
    expect(participants).toMatchObject([{ ispb, tenant: 'acme', includeIndirect: true }]);
    expect(await directory.listEventNotifications(ispb, { cursor: null, includeIndirect: true })).toMatchObject({
      notifications: [],
    });
    expect(server.requests.at(-1)?.commonName).toBe(ispb);
    await expect(directory.listEventNotifications('90000002', { cursor: null, includeIndirect: true })).rejects.toThrow(
      'This participant is not configured',
    );
    await directory.close();
  });

  it('accepts a key of a security module by its URI', async () => {
    await list([
      {
        ispb,
        tenant: 'acme',
        certificate: 'client.crt',
        pkcs11: 'pkcs11:token=hsm;object=dict',
      },
    ]);
    expect((await openLiveDirectory(config)).participants[0]?.identity).toMatchObject({
      pkcs11: 'pkcs11:token=hsm;object=dict',
    });
  });

  it('needs no certificate of a participant that is reached through another participant', async () => {
    await list([
      { ispb: '90000002', tenant: 'acme-pay' },
      { ...entry, includeIndirect: true },
    ]);
    const { directory, participants } = await openLiveDirectory(config);
    expect(participants).toMatchObject([
      {
        ispb: '90000002',
        tenant: 'acme-pay',
        includeIndirect: false,
        identity: null,
      },
      { ispb },
    ]);
    await expect(
      directory.listEventNotifications('90000002', { cursor: null, includeIndirect: false }),
    ).rejects.toThrow('This participant is not configured');
    await directory.close();
  });

  it.each([
    ['no JSON', '[', /participants\.json is not JSON/],
    ['no list', {}, /must hold a JSON array/],
    ['no object', [null], /entry 1: an object is expected/],
    ['a bad ISPB', [entry, { ...entry, ispb: '123' }], /entry 2: "ispb" must be eight/],
    ['one ISPB twice', [entry, entry], /names one ISPB twice/],
    ['no tenant', [{ ...entry, tenant: undefined }], /"tenant" must be the slug/],
    ['no key', [{ ...entry, key: undefined }], /either "key" or "pkcs11"/],
    ['a key without a certificate', [{ ...entry, certificate: undefined }], /"certificate" must be the path/],
    [
      'no certificate of who includes others',
      [{ ispb, tenant: 'acme', includeIndirect: true }],
      /either "key" or "pkcs11"/,
    ],
    [
      'an indirect participant that nobody includes',
      [entry, { ispb: '90000002', tenant: 'acme' }],
      /entry 2: without a certificate it needs another participant with "includeIndirect"/,
    ],
    ['two keys', [{ ...entry, pkcs11: 'pkcs11:x' }], /either "key" or "pkcs11"/],
    [
      'another scheme',
      [{ ...entry, key: undefined, pkcs11: 'file:///secret-pin' }],
      /"pkcs11" must be a URI that starts with pkcs11:/,
    ],
    ['a key of another certificate', [{ ...entry, key: 'other.key' }], /the key is not the certificate's/],
    ['a file that is no key', [{ ...entry, key: 'empty' }], /must be valid PEM/],
    ['a field without a meaning', [{ ...entry, includeIndirects: true }], /a field that has no meaning/],
    ['a switch that is a text', [{ ...entry, includeIndirect: 'yes' }], /must be true or false/],
    ['a file that is not there', [{ ...entry, certificate: 'nowhere.crt' }], /ENOENT.*nowhere\.crt/],
  ])('does not start with %s', async (_, content, message) => {
    await list(content);
    const error: unknown = await openLiveDirectory(config).catch((reason: unknown) => reason);
    expect(error).toHaveProperty('message', expect.stringMatching(message));
    expect(String(error)).not.toContain('secret-pin');
  });

  it('does not start without trusted certificates or with a signer that is not RSA', async () => {
    await list([entry]);
    await expect(openLiveDirectory({ ...config, authorities: join(folder, 'empty') })).rejects.toThrow(
      /holds no PEM certificate/,
    );
    await expect(openLiveDirectory({ ...config, signer: join(folder, 'empty') })).rejects.toThrow(
      /holds no PEM certificate/,
    );
    await expect(openLiveDirectory({ ...config, signer: join(folder, 'client.crt') })).rejects.toThrow(
      /signs with RSA keys/,
    );
  });
});
