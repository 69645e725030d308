/** Tests of the start of the service: what it prints if an address or its data directory cannot be used. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startedDataDirectory } from '../../scripts/test/live-service.ts';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { rolePassword } from '../../server/database/database-login.ts';
import { withClient } from '../../server/database/pool.ts';
import { silent } from '../support/silent.ts';
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

describe('a data directory from before the first release', () => {
  it(
    'is refused in a sentence that says what to do',
    async () => {
      const dataDir = await startedDataDirectory();
      const password = rolePassword('superuser', loadSecrets(readConfig({ DATA_DIR: dataDir })));
      const server = await startEmbedded({
        dataDir,
        superuser: 'postgres',
        password,
        durable: true,
        log: silent,
      });
      const { host, port } = server;
      await withClient(
        {
          host,
          port,
          database: 'compliance',
          user: 'postgres',
          password,
          ssl: false,
        },
        (client) => client.query(`UPDATE schema_migration SET name = '0001-tenants'`),
      );
      await server.stop();
      expect(await command(['server/main.ts'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' })).toEqual({
        status: 1,
        out: '',
        err:
          '\nThe database was created by a version from before the first release, and no version migrates it. ' +
          'Keep a copy of it if its contents are still needed, and start with a new one: set DATA_DIR to a new ' +
          'folder, or DATABASE_URL to a new database.\n\n',
      });
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
    'is reported if it is a file or lies below one',
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
    'ends the start at once if the system cannot create it',
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
    'is reported if a file blocks what the service stores there',
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
