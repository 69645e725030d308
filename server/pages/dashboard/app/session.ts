import createClient from 'openapi-fetch';
import { useSyncExternalStore } from 'react';
import type { components, paths } from '../../../contract/generated/client-types.ts';
import { answerOf, done, isProblem, Unreachable } from './problem.ts';
import { isReachable, onReachability, reportReachability } from './reachability.ts';
import { read, write } from './stored-choice.ts';

type BrowserSession = components['schemas']['BrowserSession'];
type LoginRequest = components['schemas']['LoginRequest'];

/** Where the proof against forged requests is kept: readable by this origin alone, and useless without the cookie. */
const PROOF = 'session.csrfToken';

/** Renewed this long before it expires, so that a call under way does not outlive its token. */
const MARGIN_MS = 30_000;

export type SessionState =
  | { readonly status: 'starting' }
  | { readonly status: 'away' }
  | { readonly status: 'signed-out'; readonly reason: 'none' | 'left' | 'ended' }
  | { readonly status: 'signed-in'; readonly userId: string; readonly tenantId: string; readonly passwordOutdated: boolean };

/** What tabs tell each other: a token that was just renewed, or that somebody signed out. */
type Message = { readonly kind: 'renewed'; readonly session: BrowserSession; readonly receivedAt: number } | { readonly kind: 'left' };

/** Calls of people who are not signed in, such as those who come with the link of a mail. */
export const plain = createClient<paths>({ cache: 'no-store', fetch: (request) => fetch(request).catch(() => { throw new Unreachable(); }) });
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

/** After a load of the page: the cookie, which scripts cannot read, and the proof beside it give a new access token. */
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

/** After a change of the password nobody need be asked for one. */
export function passwordChanged(): void {
  if (state.status === 'signed-in') move({ ...state, passwordOutdated: false });
}

/** Joins the tenant of an invitation. Whoever was signed in here until then is signed out: that may have been somebody else. */
export function joinByInvitation(acceptance: components['schemas']['InvitationAccept']): Promise<void> {
  return exclusively(async () => {
    const joined = await answerOf(plain.POST('/v1/auth/browser-session/by-invitation', { body: acceptance }));
    if (token !== null) await plain.POST('/v1/auth/logout', { headers: { Authorization: `Bearer ${token.value}` } }).catch(() => {});
    leave('left');
    accept(joined);
  });
}

/** This page is left at once: that must work without the service, too. */
export async function signOut(): Promise<void> {
  const proof = read(PROOF);
  leaveAllTabs();
  if (proof !== null) await close(proof, false).catch(() => {});
}

/** Who wants other devices signed out must hear when that did not happen. */
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

/** Sent also when the tab is closed meanwhile, as people do who have signed out. */
function close(proof: string, everywhere: boolean): Promise<void> {
  return exclusively(() => done(plain.DELETE('/v1/auth/browser-session', { keepalive: true, params: { header: { 'X-CSRF-Token': proof }, query: { everywhere } } })));
}

/** A token for the next call; renewed when it is about to expire, or when the service has refused it. */
export async function accessToken({ refused = null }: { readonly refused?: string | null } = {}): Promise<string> {
  if (token === null || token.value === refused || Date.now() > token.expiresAt - MARGIN_MS) await renew(refused);
  if (token === null) throw new Unreachable();
  return token.value;
}

/**
 * One renewal at a time, in all tabs: a refresh token is good for one use. Whoever waited for another tab takes over its
 * answer. Where the browser has no locks, the service's window for retries serves.
 */
function renew(refused: string | null = token?.value ?? null): Promise<void> {
  return (renewing ??= exclusively(async () => {
    if (token !== null && token.value !== refused && Date.now() < token.expiresAt - MARGIN_MS) return;
    const proof = read(PROOF);
    if (proof === null) return leave('ended');
    const renewed = await answerOf(plain.POST('/v1/auth/browser-session/renew', { params: { header: { 'X-CSRF-Token': proof } } })).catch((error: unknown) => {
      if (isProblem(error) && error.status < 429) forget('ended');
      throw error;
    });
    // Somebody may have signed out in another tab meanwhile: that holds.
    if (read(PROOF) === proof) accept(renewed);
  }).finally(() => { renewing = null; }));
}

/** Whatever sets or clears the cookie takes turns, or a late answer would replace the cookie of a session that began after it. */
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
  // Somebody else has signed in in another tab. Nothing that this one holds is theirs.
  if (state.status === 'signed-in' && (state.userId !== userId || state.tenantId !== tenantId)) return location.reload();
  token = { value: session.accessToken, expiresAt: receivedAt + session.expiresIn * 1000 };
  move({ status: 'signed-in', userId, tenantId, passwordOutdated: session.passwordChangeRequired });
}

function leaveAllTabs(): void {
  forget('left');
  tabs.postMessage({ kind: 'left' } satisfies Message);
}

function forget(reason: 'left' | 'ended'): void {
  write(PROOF, null);
  leave(reason);
}

/** The proof stays: a tab may hear late, when somebody has signed in again. */
function leave(reason: 'left' | 'ended'): void {
  token = null;
  if (state.status !== 'signed-out') move({ status: 'signed-out', reason });
}
