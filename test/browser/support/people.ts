/** Creates people of the demo tenant beside the browser. Used by most browser tests. */
import { randomUUID } from 'node:crypto';
import { api, tokenOf } from './api.ts';
import { Authenticator } from './authenticator.ts';
import { linkTo } from './outbox.ts';
import { demo } from './service.ts';

export const GOOD_PASSWORD = 'seven quiet rivers at dawn';

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly id: string;
  /** Token of a session outside of the browser. */
  readonly token: string;
}

export interface Invitation {
  readonly email: string;
  readonly link: string;
}

let owner: Promise<string> | null = null;

/** Signs in the owner of the demo tenant outside of the browser. */
function ownerToken(): Promise<string> {
  return (owner ??= tokenOf(demo));
}

/** Invites a new person into the demo tenant. */
export async function invited(role = 'analyst'): Promise<Invitation> {
  const email = `person-${randomUUID().slice(0, 8)}@example.com`;
  await api('POST', '/v1/users/invitations', { token: await ownerToken(), body: { email, role } });
  return { email, link: await linkTo(email, '/invitation') };
}

/** Creates a new person who has joined the demo tenant. */
export async function person(role = 'analyst', name = 'Bruno Lima'): Promise<Person> {
  const { email, link } = await invited(role);
  const token = decodeURIComponent(link.split('#token=')[1] ?? '');
  const { accessToken, user } = await api<{ accessToken: string; user: { id: string } }>(
    'POST',
    '/v1/auth/invitations/accept',
    { body: { token, name, password: GOOD_PASSWORD } },
  );
  return {
    email,
    name,
    password: GOOD_PASSWORD,
    id: user.id,
    token: accessToken,
  };
}

export interface Protected extends Person {
  readonly authenticator: Authenticator;
  readonly recoveryCodes: readonly string[];
}

/** Creates a new person with a second factor. */
export async function protectedPerson(role = 'analyst', name = 'Carla Dias'): Promise<Protected> {
  const who = await person(role, name);
  const { secret } = await api<{ secret: string }>('POST', '/v1/auth/totp/enroll', {
    token: who.token,
    body: { password: who.password },
  });
  const authenticator = new Authenticator(secret);
  const { recoveryCodes } = await api<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', {
    token: who.token,
    body: { code: await authenticator.next() },
  });
  return { ...who, authenticator, recoveryCodes };
}
