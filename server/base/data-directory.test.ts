/** Tests of how failures in the service's own folder, DATA_DIR, are reported. */
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config.ts';
import { dataDirError } from './data-directory.ts';

const failureAt = (path: string): Error => Object.assign(new Error('EACCES: permission denied'), { path });

describe('dataDirError', () => {
  it.each(['/srv/data', '/srv/data/files/a', '/srv/data/..a'])('advises the operator about a failure at %s', (path) => {
    expect(dataDirError('/srv/data', failureAt(path))).toBeInstanceOf(ConfigError);
    expect(dataDirError('/srv/data/', failureAt(path))?.message).toContain('EACCES');
  });

  it.each(['/srv/data2/file', '/srv', '/etc/passwd'])('ignores a failure outside of the folder, at %s', (path) => {
    expect(dataDirError('/srv/data', failureAt(path))).toBeNull();
  });

  it('ignores an error without a path', () => {
    expect(dataDirError('/srv/data', new Error('connection refused'))).toBeNull();
  });
});
