/** Test of an external database that does not answer. */
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { silent } from '../../test/support/silent.ts';
import { readConfig } from '../base/config.ts';
import { secretsFrom } from '../base/secrets.ts';
import { DatabaseUnavailable, openDatabase } from './index.ts';

describe('an external database', () => {
  it('that does not answer is reported as unavailable, which an operator can fix', async () => {
    const config = readConfig({ DATABASE_URL: 'postgres://service@127.0.0.1:1/compliance', DATA_DIR: tmpdir() });
    const opening = openDatabase(config, secretsFrom('a secret that opens nothing, ever'), silent);
    await expect(opening).rejects.toThrow(/^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
    await expect(opening).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
