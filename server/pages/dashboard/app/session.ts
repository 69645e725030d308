import createClient from 'openapi-fetch';
import { useSyncExternalStore } from 'react';
import type { components, paths } from '../../../contract/generated/client-types.ts';
import { answerOf, isProblem, Unreachable } from './problem.ts';
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
  | { readonly status: 'signed-in'; readonly userId: string; readonly passwordOutdated: boolean };

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
    if (state.status === 'starting') move({ status: 'away' });
  }
}

export async function signIn(credentials: LoginRequest): Promise<void> {
  accept(await answerOf(plain.POST('/v1/auth/browser-session', { body: credentials })));
}

/** This page is left at once: that must work without the service, too. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  const proof = read(PROOF);
  leave('left');
  tabs.postMessage({ kind: 'left' } satisfies Message);
  if (proof === null) return;
  await plain.DELETE('/v1/auth/browser-session', { params: { header: { 'X-CSRF-Token': proof }, query: { everywhere } } }).catch(() => {});
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
    try {
      accept(await answerOf(plain.POST('/v1/auth/browser-session/renew', { params: { header: { 'X-CSRF-Token': proof } } })));
    } catch (error) {
      if (isProblem(error) && error.status < 429) leave('ended');
      throw error;
    }
  }).finally(() => { renewing = null; }));
}

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
  token = { value: session.accessToken, expiresAt: receivedAt + session.expiresIn * 1000 };
  move({ status: 'signed-in', userId: session.user.id, passwordOutdated: session.passwordChangeRequired });
}

function leave(reason: 'left' | 'ended'): void {
  token = null;
  write(PROOF, null);
  if (state.status !== 'signed-out') move({ status: 'signed-out', reason });
}
