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
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'x'],
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
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name} must be`));
  });

  it('names all faults at once and repeats no value', () => {
    const reading = (): unknown => readConfig({ PORT: 'x', SERVICE_SECRET: 'hunter2', DATABASE_URL: 'me:hunter2@db' });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(/PORT[^]*DATABASE_URL[^]*SERVICE_SECRET/);
    expect(reading).not.toThrow(/hunter2/);
  });

  it('needs a sender if a mail server is configured', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow(/MAIL_FROM must be set/);
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
  });

  it('describes every variable', () => {
    expect(describeConfig()).toMatch(/^PORT +TCP port.*\(default 8080\)$/m);
  });
});
