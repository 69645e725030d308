/**
 * The session of this browser: start, sign-in, renewal and sign-out, the same in all tabs. Used by send.ts, the sign-in
 * and the shell. The access token lives in memory only. Two renewals at once would use the refresh token twice, so they
 * are serialised across tabs.
 */
import createClient from 'openapi-fetch';
import { useSyncExternalStore } from 'react';
import type { components, paths } from '../../../contract/generated/client-types.ts';
import { answerOf, done, isProblem, Unreachable } from './problem.ts';
import { isReachable, onReachability, reportReachability } from './reachability.ts';
import { read, write } from './stored-choice.ts';

type BrowserSession = components['schemas']['BrowserSession'];
type LoginRequest = components['schemas']['LoginRequest'];

/** Storage key of the CSRF token, which only this origin can read and which is useless without the cookie. */
const PROOF = 'session.csrfToken';

/** Time before its expiry at which a token is renewed, so that a call in progress does not outlive it. */
const MARGIN_MS = 30_000;

export type SessionState =
  | { readonly status: 'starting' }
  | { readonly status: 'away' }
  | { readonly status: 'signed-out'; readonly reason: 'none' | 'left' | 'ended' }
  | {
      readonly status: 'signed-in';
      readonly userId: string;
      readonly tenantId: string;
      readonly passwordOutdated: boolean;
    };

/** Messages between tabs: a renewed token, or a sign-out. */
type Message =
  | { readonly kind: 'renewed'; readonly session: BrowserSession; readonly receivedAt: number }
  | { readonly kind: 'left' };

/** Client for calls without a session, such as those from a link in a mail. */
export const plain = createClient<paths>({
  cache: 'no-store',
  fetch: (request) =>
    fetch(request).catch(() => {
      throw new Unreachable();
    }),
});
const tabs = new BroadcastChannel('session');
const listeners = new Set<() => void>();

let state: SessionState = { status: 'starting' };
let token: { readonly value: string; readonly expiresAt: number } | null = null;
let renewing: Promise<void> | null = null;

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'renewed') keep(data.session, data.receivedAt);
  else leave('left');
});

function move(to: SessionState): void {
  state = to;
  listeners.forEach((listener) => listener());
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sessionState(): SessionState {
  return state;
}

export function useSession(): SessionState {
  return useSyncExternalStore(onSession, sessionState);
}

/**
 * Starts the session after a page load: exchanges the cookie, which scripts cannot read, and the CSRF token for a new
 * access token.
 */
export async function startSession(): Promise<void> {
  if (read(PROOF) === null) return move({ status: 'signed-out', reason: 'none' });
  try {
    await renew();
  } catch {
    if (state.status !== 'starting' && state.status !== 'away') return;
    move({ status: 'away' });
    reportReachability(false);
  }
}

onReachability(() => {
  if (isReachable() && state.status === 'away') void startSession();
});

export function signIn(credentials: LoginRequest): Promise<void> {
  return exclusively(async () => accept(await answerOf(plain.POST('/v1/auth/browser-session', { body: credentials }))));
}

/** Clears the request for a new password after it was changed. */
export function passwordChanged(): void {
  if (state.status === 'signed-in') move({ ...state, passwordOutdated: false });
}

/**
 * Joins the tenant of an invitation. The current user of this browser is signed out first, because the invitation may
 * be for another person.
 */
export function joinByInvitation(acceptance: components['schemas']['InvitationAccept']): Promise<void> {
  return exclusively(async () => {
    const joined = await answerOf(plain.POST('/v1/auth/browser-session/by-invitation', { body: acceptance }));
    if (token !== null)
      await plain.POST('/v1/auth/logout', { headers: { Authorization: `Bearer ${token.value}` } }).catch(() => {});
    leave('left');
    accept(joined);
  });
}

/** Signs out. The page leaves the session at once, because that must work without the service too. */
export async function signOut(): Promise<void> {
  const proof = read(PROOF);
  leaveAllTabs();
  if (proof !== null) await close(proof, false).catch(() => {});
}

/** Signs out everywhere. Throws if that fails, because the user must know. */
export async function signOutEverywhere(): Promise<void> {
  const proof = read(PROOF);
  if (proof === null) return leave('ended');
  try {
    await close(proof, true);
  } catch (error) {
    if (isProblem(error) && error.status === 401) return forget('ended');
    throw error;
  }
  leaveAllTabs();
}

/** Ends the session at the service. The request continues if the tab is closed, which is common after a sign-out. */
function close(proof: string, everywhere: boolean): Promise<void> {
  return exclusively(() =>
    done(
      plain.DELETE('/v1/auth/browser-session', {
        keepalive: true,
        params: { header: { 'X-CSRF-Token': proof }, query: { everywhere } },
      }),
    ),
  );
}

/** Returns a token for the next call, renewed if it is about to expire or the service has refused it. */
export async function accessToken({ refused = null }: { readonly refused?: string | null } = {}): Promise<string> {
  if (token === null || token.value === refused || Date.now() > token.expiresAt - MARGIN_MS) await renew(refused);
  if (token === null) throw new Unreachable();
  return token.value;
}

/**
 * Renews the token, once at a time across all tabs, because a refresh token can be used only once. A tab that waited
 * for another one uses its answer. Without browser locks, the service's window for retries is sufficient.
 */
function renew(refused: string | null = token?.value ?? null): Promise<void> {
  return (renewing ??= exclusively(async () => {
    if (token !== null && token.value !== refused && Date.now() < token.expiresAt - MARGIN_MS) return;
    const proof = read(PROOF);
    if (proof === null) return leave('ended');
    const renewed = await answerOf(
      plain.POST('/v1/auth/browser-session/renew', { params: { header: { 'X-CSRF-Token': proof } } }),
    ).catch((error: unknown) => {
      if (isProblem(error) && error.status < 429) forget('ended');
      throw error;
    });
    // If another tab has signed out meanwhile, the sign-out is kept.
    if (read(PROOF) === proof) accept(renewed);
  }).finally(() => {
    renewing = null;
  }));
}

/**
 * Serialises all calls that set or clear the cookie, because a late answer would replace the cookie of a newer session.
 */
async function exclusively(task: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  return locks === undefined ? task() : locks.request('session', task);
}

function accept(session: BrowserSession): void {
  const receivedAt = Date.now();
  write(PROOF, session.csrfToken);
  keep(session, receivedAt);
  tabs.postMessage({ kind: 'renewed', session, receivedAt } satisfies Message);
}

function keep(session: BrowserSession, receivedAt: number): void {
  const { id: userId, tenantId } = session.user;
  // Another user has signed in in another tab, so everything that this tab shows is discarded.
  if (state.status === 'signed-in' && (state.userId !== userId || state.tenantId !== tenantId))
    return location.reload();
  token = { value: session.accessToken, expiresAt: receivedAt + session.expiresIn * 1000 };
  move({
    status: 'signed-in',
    userId,
    tenantId,
    passwordOutdated: session.passwordChangeRequired,
  });
}

function leaveAllTabs(): void {
  forget('left');
  tabs.postMessage({ kind: 'left' } satisfies Message);
}

function forget(reason: 'left' | 'ended'): void {
  write(PROOF, null);
  leave(reason);
}

/** Keeps the CSRF token, because a tab may receive the message late, after a new sign-in. */
function leave(reason: 'left' | 'ended'): void {
  token = null;
  if (state.status !== 'signed-out') move({ status: 'signed-out', reason });
}
