/** Tests of the throw-away authority that certifies the simulated directory. */
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuthority } from './authority.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'directory-authority-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the throw-away authority', () => {
  it('certifies a server of the loopback interface, a signer and participants by their ISPB', async () => {
    const authority = await openAuthority(join(folder, 'new'));
    const root = new X509Certificate(authority.certificate);
    const server = new X509Certificate(authority.server.certificate);
    const client = new X509Certificate((await authority.client('9ABCDEF0')).certificate);
    for (const certificate of [server, client, authority.signer.certificate]) {
      expect(certificate.checkIssued(root) && certificate.verify(root.publicKey)).toBe(true);
      expect(certificate.ca).toBe(false);
    }
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(server.checkHost('example.com')).toBeUndefined();
    expect(client.subject).toContain('CN=9ABCDEF0');
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(authority.signer.certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(authority.signer.certificate.checkPrivateKey(authority.signer.key)).toBe(true);
  });

  it('stays the same after a restart', async () => {
    const before = await openAuthority(folder);
    const client = await before.client('90000001');
    const after = await openAuthority(folder);
    expect({
      ...after,
      signer: after.signer.certificate.fingerprint256,
      client: await after.client('90000001'),
    }).toEqual({ ...before, signer: before.signer.certificate.fingerprint256, client });
  });

  it('is created once, even if several processes create it at the same time', async () => {
    const authorities = await Promise.all(Array.from({ length: 4 }, () => openAuthority(folder)));
    const clients = await Promise.all(authorities.map((authority) => authority.client('90000001')));
    expect(new Set(authorities.map(({ certificate }) => certificate)).size).toBe(1);
    expect(new Set(authorities.map(({ signer }) => signer.certificate.fingerprint256)).size).toBe(1);
    expect(new Set(clients.map(({ key }) => key)).size).toBe(1);
    expect(
      new X509Certificate(clients[0]?.certificate ?? '').checkIssued(
        new X509Certificate(authorities[0]?.certificate ?? ''),
      ),
    ).toBe(true);
  });

  it('makes its keys readable by the owner only and leaves no drafts', async () => {
    const authority = await openAuthority(folder);
    await authority.client('90000001');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pem'));
    expect(files.sort()).toEqual(['authority.pem', 'clients/90000001.pem', 'server.pem', 'signer.pem']);
    expect(await readdir(join(folder, 'clients'))).toEqual(['90000001.pem']);
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'clients'))).mode & 0o777).toBe(0o700);
  });

  it('creates no file for a name that is not an ISPB', async () => {
    const authority = await openAuthority(folder);
    for (const name of ['', '1234567', '123456789', '../../ab', 'abcdefgh', '90000001\n'])
      await expect(authority.client(name)).rejects.toThrow(RangeError);
    expect(await readdir(join(folder, 'clients'))).toEqual([]);
  });

  it('names the file that is broken', async () => {
    await openAuthority(folder);
    await writeFile(join(folder, 'signer.pem'), 'x');
    await expect(openAuthority(folder)).rejects.toThrow(/signer\.pem does not hold/);
  });
});
