/** API tests of the simulated directory that the service runs for sandboxes. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DirectoryClient } from '../../server/providers/directory/index.ts';
import { startTestService } from '../support/service.ts';

/** Each test starts one or two services. */
describe('the service', () => {
  it('runs the directory of the sandboxes for as long as the service runs', async () => {
    const service = await startTestService({ env: { DIRECTORY_SIMULATOR: 'true' } });
    const directory = service.running.services.directorySimulator?.directoryFor(service.acme.id);
    if (directory === undefined) throw new Error('there is none');
    const client = new DirectoryClient(directory.client);
    const list = () => client.listEventNotifications(directory.ispb, { cursor: null, includeIndirect: false });
    expect([directory.ispb.length, new URL(directory.client.url).hostname, (await list()).notifications]).toEqual([
      8,
      '127.0.0.1',
      [],
    ]);
    // The capacity is large because advancing a clock causes many requests in a short time.
    expect((await client.getPolicy(directory.ispb, 'EVENT_LIST')).capacity).toBeGreaterThan(1000);
    await service.stop();
    await expect(list()).rejects.toMatchObject({ kind: 'Transport' });
    await client.close();
  });

  it('stores its keys in private files, and finds them again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'compliance-directory-'));
    const authorities: (string | undefined)[] = [];
    for (let start = 0; start < 2; start++) {
      const service = await startTestService({ env: { DIRECTORY_SIMULATOR: 'true', DATA_DIR: dataDir } });
      authorities.push(service.running.services.directorySimulator?.client.authorities);
      await service.stop();
    }
    expect(authorities[1]).toBe(authorities[0]);
    for (const path of ['directory', 'directory/authority.pem', 'directory/signer.pem'])
      expect((await stat(join(dataDir, path))).mode & 0o077).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('starts no directory if configured so', async () => {
    const service = await startTestService();
    expect(service.running.services.directorySimulator).toBeNull();
    await service.stop();
  });
});
