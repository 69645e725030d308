import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startedDataDirectory } from '../../scripts/test/live-service.ts';
import { TIMEOUT, command, noTrace } from './command.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('an address that is in use or invalid', () => {
  it(
    'is reported by the mock and by the service in a sentence',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const port = String((other.address() as AddressInfo).port);
      const sentence = `Port ${port} of 127.0.0.1 is taken by another program. Stop that, or set PORT to another port.`;
      const mock = await command(['scripts/mock.ts', '--port', port]);
      expect(mock).toEqual({ status: 1, out: '', err: `${sentence}\n` });
      const dataDir = await startedDataDirectory();
      const service = await command(['server/main.ts'], { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' });
      expect(service).toEqual({ status: 1, out: '', err: `\n${sentence}\n\n` });
      const nowhere = await command(['server/main.ts'], {
        DATA_DIR: dataDir,
        HOST: 'nowhere.invalid',
        PORT: '0',
        LOG_LEVEL: 'warn',
      });
      expect(nowhere).toMatchObject({
        status: 1,
        err: '\nThere is no host nowhere.invalid. Set HOST to a name or an address of this machine.\n\n',
      });
      other.close();
      rmSync(dataDir, { recursive: true });
    },
    TIMEOUT,
  );
});

describe('a DATA_DIR that cannot be used', () => {
  const start = (dataDir: string, env = {}) =>
    command(['server/main.ts'], {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    });
  const refused = (dataDir: string) => ({
    status: 1,
    out: '',
    err: expect.stringMatching(
      new RegExp(
        '^\\n' +
          `DATA_DIR ${dataDir} cannot be used \\(.*\\)\\. Set DATA_DIR to a folder in which ` +
          'this account can write\\.\\n' +
          '\\n' +
          '$',
      ),
    ),
  });

  it(
    'because it is a file, or lies below one',
    async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      expect(await start(file)).toEqual(refused(file));
      expect(await start(join(file, 'below'))).toEqual(refused(join(file, 'below')));
    },
    TIMEOUT,
  );

  // Node's own recursive mkdir would never return for it.
  it.runIf(process.platform === 'linux')(
    'because the system cannot create it, ends at once',
    async () => {
      expect(await start('/proc/nope/data')).toEqual(refused('/proc/nope/data'));
      expect(
        await command(['scripts/platform-admin.ts', '--email', 'a@example.com', '--name', 'A'], {
          DATA_DIR: '/proc/nope',
        }),
      ).toMatchObject({ status: 1, err: expect.stringContaining('cannot be used') });
      expect(await command(['scripts/dev.ts'], { DATA_DIR: '/proc/nope' })).toMatchObject({ status: 1, err: noTrace });
    },
    TIMEOUT,
  );

  it(
    'because a file blocks what the service stores there',
    async () => {
      const dataDir = join(folder, 'occupied');
      mkdirSync(join(dataDir, 'secret'), { recursive: true });
      const { status, err } = await start(dataDir);
      expect([status, err]).toEqual([1, expect.stringContaining(`${dataDir}/secret`)]);
      expect(err).toEqual(noTrace);
    },
    TIMEOUT,
  );
});
