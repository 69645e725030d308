/** Fixture of the tests of browser sessions, through the API. */
import type { Answer } from '../support/service.ts';
import { PASSWORD, type Schemas, type World } from './auth-world.ts';

export type Session = Schemas['BrowserSession'];
type Refusal = Schemas['Problem'];
export type Fields = Readonly<Record<string, string>>;

export const SESSION = '/v1/auth/browser-session';
export const RENEW = `${SESSION}/renew`;

/** Returns the value of a cookie that an answer sets; empty if the answer clears the cookie. */
export function cookieIn({ headers }: Pick<Answer<unknown>, 'headers'>, name = '__Host-session'): string | undefined {
  return headers
    .getSetCookie()
    .find((field) => field.startsWith(`${name}=`))
    ?.split(';')[0]
    ?.slice(name.length + 1);
}

/**
 * A browser with a page of the service: the browser stores the cookies that answers set, and the page stores the proof.
 */
export class Browser {
  readonly #world: World;
  readonly cookies = new Map<string, string>();
  proof = '';

  constructor(world: World) {
    this.#world = world;
  }

  async signIn(
    email: string,
    more: Partial<Schemas['LoginRequest']> = {},
    headers: Fields = {},
  ): Promise<Answer<Session & Refusal>> {
    const answer = await this.send<Session & Refusal>('POST', SESSION, headers, { email, password: PASSWORD, ...more });
    if (answer.status === 200) this.proof = answer.body.csrfToken;
    return answer;
  }

  /** Renews the session as a page does after a reload. */
  renew(headers: Fields = {}): Promise<Answer<Session & Refusal>> {
    return this.send('POST', RENEW, { 'X-CSRF-Token': this.proof, ...headers });
  }

  close(query = '', headers: Fields = {}): Promise<Answer<Refusal>> {
    return this.send('DELETE', `${SESSION}${query}`, { 'X-CSRF-Token': this.proof, ...headers });
  }

  /** Sends a request with all cookies of the moment at which it is sent. */
  async send<T = Refusal>(method: string, path: string, headers: Fields = {}, json?: object): Promise<Answer<T>> {
    const Cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#world.call<T>(method, path, {
      headers: { ...(Cookie !== '' && { Cookie }), ...headers },
      ...(json !== undefined && { json }),
    });
    for (const field of answer.headers.getSetCookie()) this.#take(field);
    return answer;
  }

  #take(field: string): void {
    const [name = '', value = ''] = field.split(';')[0]?.split('=') ?? [];
    if (field.endsWith('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A person who has just signed in with a browser. */
interface SignedIn {
  readonly browser: Browser;
  readonly session: Session;
  readonly email: string;
  readonly id: string;
  readonly cookie: string;
}

/** Signs a new person of the tenant in with a new browser. */
export async function openSession(world: World, tenantId: string): Promise<SignedIn> {
  const { email, id } = await world.user(tenantId);
  const browser = new Browser(world);
  const answer = await browser.signIn(email);
  return {
    browser,
    session: answer.body,
    email,
    id,
    cookie: cookieIn(answer) ?? '',
  };
}

/** Returns a browser of a thief who has obtained a cookie. */
export function thiefOf(world: World, cookie: string, proof = ''): Browser {
  const browser = new Browser(world);
  browser.cookies.set('__Host-session', cookie);
  browser.proof = proof;
  return browser;
}

export const verdict = ({ status, body }: Answer<Partial<Refusal> | undefined>): [number, string | undefined] => [
  status,
  body?.code,
];
