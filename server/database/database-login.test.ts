/** Tests of reading DATABASE_URL. */
import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from './database-login.ts';

describe('DATABASE_URL', () => {
  it('is decoded, and sslmode sets TLS', () => {
    expect(parseDatabaseUrl('postgresql://a%40b:s%2Fcret@db.example:6432/onboarding?sslmode=verify-full')).toEqual({
      host: 'db.example',
      port: 6432,
      database: 'onboarding',
      user: 'a@b',
      password: 's/cret',
      ssl: {},
    });
  });

  it('may name the folder of a Unix socket as its host', () => {
    expect(parseDatabaseUrl('postgresql://me@/onboarding?host=/run/postgresql')).toMatchObject({
      host: '/run/postgresql',
      database: 'onboarding',
      user: 'me',
    });
  });
});
