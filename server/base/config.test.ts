/** Tests of the configuration, which is read from environment variables. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, describeConfig, readConfig } from './config.ts';

describe('the configuration', () => {
  it('is complete without any variable', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: resolve('.data'),
      databaseUrl: null,
      databasePoolSize: 10,
      serviceSecret: null,
      demo: false,
      smtpUrl: null,
      mailFrom: null,
      directory: null,
      directorySimulator: true,
      watchLists: null,
      verification: 'on',
      verificationConnector: null,
      verificationRoots: null,
      jobs: true,
      logLevel: 'info',
      trustProxyHops: 0,
      maxConnections: 4000,
      slowClientSeconds: 10,
      memoryAlarmMebibytes: 1024,
      bodyMemoryMebibytes: 256,
      responseValidation: 'strict',
      shutdownGraceSeconds: 10,
      rateLimits: {
        requests: 600,
        uploads: 60,
        feed: 60,
        pages: 3000,
        lookups: 30,
        loginsPerAddress: 10,
        failedAuthentications: 100,
      },
    });
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['PORT', '0x10'],
    ['PORT', ' 80'],
    ['PORT', '80.0'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'x'],
    ['DATABASE_URL', 'postgresqls://x'],
    ['SERVICE_SECRET', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'true'],
    ['RESPONSE_VALIDATION', 'off'],
    ['DEMO', 'yes'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Us <a@example.com>, <b@example.com>'],
    ['MAIL_FROM', 'Us\r\nBcc: b@example.com <a@example.com>'],
    ['JOBS', '1'],
    ['JOBS', 'TRUE'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name} must be`));
  });

  it('accepts passwords in URLs that clients of the address accept', () => {
    const url = 'postgres://me:p^w|d@db:5432/compliance';
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['DATABASE_POOL_SIZE', '0', 'an integer from 1 to 200 (connections of the request pool)'],
    ['DEMO', 'yes', 'one of true, false (create the demo tenant at the first start and print its credentials)'],
    ['RESPONSE_VALIDATION', 'off', /^one of strict, report \(/],
    ['PUBLIC_URL', 'ftp://x', /^a URL that starts with http:\/\/ or https:\/\/ \(/],
    ['HOST', 'a b', 'a host name or an IP address (address to listen on)'],
    ['SERVICE_SECRET', 'short', /^32 to 1024 characters \(root of all keys/],
    ['MAIL_FROM', 'nobody', /^an e-mail address, or a name followed by one in angle brackets \(/],
  ])('says once what %s must be', (name, value, expected) => {
    const [, first, ...others] = messageOf({ [name]: value }).split('\n');
    expect(first).toMatch(new RegExp(`^ {2}${name} must be `));
    expect(first?.replace(/^.* must be /, '')).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
    expect(others).toEqual([]);
  });

  it('names all faults at once and repeats no value', () => {
    const reading = (): unknown => readConfig({ PORT: 'x', SERVICE_SECRET: 'hunter2', DATABASE_URL: 'me:hunter2@db' });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(/PORT[^]*DATABASE_URL[^]*SERVICE_SECRET/);
    expect(reading).not.toThrow(/hunter2/);
  });

  it('needs a sender if a mail server is configured', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow(/MAIL_FROM must be set/);
    expect(messageOf({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'nobody' })).not.toMatch(/must be set/);
    expect(readConfig({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'no-reply@example.com' }).mailFrom).toEqual({
      address: 'no-reply@example.com',
      name: null,
    });
    expect(readConfig({ MAIL_FROM: 'Compliance Onboarding <no-reply@example.com>' }).mailFrom).toEqual({
      address: 'no-reply@example.com',
      name: 'Compliance Onboarding',
    });
  });

  it('simulates a directory with the embedded database, and with an external one if configured', () => {
    const external = { DATABASE_URL: 'postgres://localhost/x' };
    expect(
      [{}, external, { ...external, DIRECTORY_SIMULATOR: 'true' }, { DIRECTORY_SIMULATOR: 'false' }].map(
        (env) => readConfig(env).directorySimulator,
      ),
    ).toEqual([true, false, true, false]);
  });

  it('accepts either all variables of a directory or none', () => {
    const whole = {
      DIRECTORY_URL: 'https://dict.example:16422/api/v2/',
      DIRECTORY_CA: '/a.pem',
      DIRECTORY_SIGNER: '/b.pem',
      DIRECTORY_PARTICIPANTS: '/c.json',
    };
    expect(readConfig(whole).directory).toEqual({
      url: whole.DIRECTORY_URL,
      authorities: '/a.pem',
      signer: '/b.pem',
      participants: '/c.json',
    });
    for (const name of Object.keys(whole))
      expect(() => readConfig({ ...whole, [name]: '' })).toThrow(/DIRECTORY_URL.*must be set together/);
    expect(() => readConfig({ ...whole, DIRECTORY_URL: 'http://dict.example/' })).toThrow(/DIRECTORY_URL must be/);
    expect(messageOf({ ...whole, DIRECTORY_URL: 'http://dict.example/' })).not.toMatch(/must be set/);
  });

  it('describes every variable', () => {
    expect(describeConfig()).toMatch(/^PORT +TCP port.*\(default 8080\)$/m);
  });
});

function messageOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the environment was accepted');
}
