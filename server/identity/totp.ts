import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator application understands (RFC 6238 §5.2, RFC 4226 §5.3). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Codes of one step before and after are taken too, for clocks that differ and people who type (RFC 6238 §5.2). */
const WINDOW = 1;
/** As long as the output of the hash (RFC 4226 §4, R6). */
const SECRET_BYTES = 20;
const ISSUER = 'Compliance Onboarding';

export function generateTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The time step that the code belongs to, or null when it is the code of no step near now. */
export function timeStepOf(secret: Buffer, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = TOTP.validate({ ...PARAMETERS, secret: secretOf(secret), token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PARAMETERS.period) + delta;
}

/** When the code was taken at a time step: it can have come a step early or late. */
export function isNearStep(step: number, at: Date): boolean {
  return Math.abs(Math.floor(at.getTime() / 1000 / PARAMETERS.period) - step) <= WINDOW;
}

export function codeOf(secret: Buffer, step: number): string {
  return TOTP.generate({ ...PARAMETERS, secret: secretOf(secret), timestamp: step * PARAMETERS.period * 1000 });
}

/** The secret as people type it (RFC 4648 §6), and as the address that a QR code carries. */
export function describeSecret(secret: Buffer, account: string): { secret: string; otpauthUri: string } {
  const totp = new TOTP({ ...PARAMETERS, issuer: ISSUER, label: account, secret: secretOf(secret) });
  return { secret: totp.secret.base32, otpauthUri: totp.toString() };
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
