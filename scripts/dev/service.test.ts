/** Tests of the database that `make dev` keeps running between services. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import { openDatabase } from '../../server/database/index.ts';
// Defines all tables, because opening a database grants its roles the rights that the tables declare.
import '../../server/start.ts';
import { devDatabase } from './service.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe('the database of make dev', () => {
  it('keeps running after the service that uses it has ended, and serves the next one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dev-database-'));
    const database = await devDatabase({ DATA_DIR: folder });
    try {
      const config = readConfig({ DATA_DIR: folder, ...database.environment });
      for (const _ of [1, 2]) {
        expect(config.directorySimulator).toBe(true);
        const service = await openDatabase(config, loadSecrets(config), silent);
        await expect(service.ping()).resolves.toBeUndefined();
        await service.close();
      }
    } finally {
      await database.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('does not touch an external database', async () => {
    const url = 'postgres://someone:secret@db.example.com/compliance';
    expect((await devDatabase({ DATABASE_URL: url })).environment).toEqual({});
  });
});
