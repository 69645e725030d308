/**
 * Time-based one-time codes (RFC 6238), through a library. Used by second-factor.ts and the enrolment. It does not
 * remember used codes; the caller must.
 */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator application supports (RFC 6238 §5.2, RFC 4226 §5.3). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/**
 * Number of steps before and after whose codes are accepted, because of clock skew and the time to type (RFC 6238
 * §5.2).
 */
const WINDOW = 1;
/** Length of the secret: that of the hash output (RFC 4226 §4, R6). */
const SECRET_BYTES = 20;
const ISSUER = 'Compliance Onboarding';

export function generateTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Returns the time step that the code belongs to, or null if it matches no step near now. */
export function timeStepOf(secret: Buffer, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = TOTP.validate({
    ...PARAMETERS,
    secret: secretOf(secret),
    token: code,
    timestamp: now.getTime(),
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PARAMETERS.period) + delta;
}

/** Tells whether a step is near an instant: a code can be entered a step early or late. */
export function isNearStep(step: number, at: Date): boolean {
  return Math.abs(Math.floor(at.getTime() / 1000 / PARAMETERS.period) - step) <= WINDOW;
}

export function codeOf(secret: Buffer, step: number): string {
  return TOTP.generate({ ...PARAMETERS, secret: secretOf(secret), timestamp: step * PARAMETERS.period * 1000 });
}

/** Returns the secret in the form that people type (RFC 4648 §6), and as the URI for a QR code. */
export function describeSecret(secret: Buffer, account: string): { secret: string; otpauthUri: string } {
  const totp = new TOTP({
    ...PARAMETERS,
    issuer: ISSUER,
    label: account,
    secret: secretOf(secret),
  });
  return { secret: totp.secret.base32, otpauthUri: totp.toString() };
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
