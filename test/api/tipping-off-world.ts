/** What callers of the service are told, in a form that two tenants can be compared in, and a caller of each kind. */
import { expect, vi } from 'vitest';
import type { Role } from '../../server/contract/operation.ts';
import type { readyCall } from '../support/calls.ts';
import { ROLES } from '../support/contract.ts';
import type { Credential, Tenant } from '../support/service.ts';
import { entriesOf } from './evidence-pack-world.ts';

const VARYING_HEADERS = ['date', 'x-request-id', 'content-length', 'keep-alive', 'location', 'content-disposition'];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Replaces ids, times and random values, and says how long each was and which ids are the same. */
function normalised(text: string, isInAnyOrder = false): string {
  if (isInAnyOrder)
    return text
      .split(/\r?\n|\},\{/)
      .map((part) => normalised(part.replace(/^\d+,/, '').replaceAll(UUID, '<id>')))
      .sort()
      .join('\n');
  const ids = new Map<string, number>();
  return (
    text
      .replaceAll(UUID, (id) => {
        const known = ids.get(id.toLowerCase()) ?? ids.size;
        ids.set(id.toLowerCase(), known);
        return `<id ${known}>`;
      })
      // Tokens and digests first, because parts of them look like something else.
      .replaceAll(/[A-Za-z0-9+/_=.-]{20,}/g, (run) =>
        run.length >= 32 || /\d/.test(run) ? `<${run.length} characters>` : run,
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
      .replaceAll(/"(durationMs|latencyMs|uptimeSeconds|ms)":[\d.]+/g, '"$1":0')
      .replaceAll(/kyc_(live|test)_\w+/g, 'kyc_$1')
      .replaceAll(/[a-z_]+-[0-9a-f]{12}@example\.com/g, '<address>')
      // The quota of the address, which all callers of this test share.
      .replaceAll(/"(pages|login|reset|uploads)";r=\d+/g, '"$1";r=<left>')
      .replaceAll(/"ispb":"\w+"/g, '"ispb":"<ispb>"')
      .replaceAll(/C-\d{4}-\w{6}/g, '<case>')
      .replaceAll(/[0-9a-f]{12,}/gi, (run) => `<${run.length} digits>`)
      .replaceAll(/"\*{3}[^"]{5,20}"/g, '"<masked number>"')
      .replaceAll(/"[\d.*/-]{11,18}"/g, '"<tax number>"')
      .replaceAll(/(?<![\d.])(?:\d{11}|\d{14})(?!\d)/g, '<tax number>')
  );
}

/** The address of a service, and the lines that it has written to its log. */
interface Observed {
  readonly url: string;
  readonly lines: readonly string[];
}

interface Told {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly lines: readonly string[];
}

/** Sends a request and returns everything that it tells: the answer, what is in a pack, and the lines of the log. */
export async function told(
  { url, lines }: Observed,
  request: ReturnType<typeof readyCall>,
  as: Credential,
  { query = '', isInAnyOrder = false }: { query?: string; isInAnyOrder?: boolean } = {},
): Promise<Told & { raw: string }> {
  const from = lines.length;
  const { method, path, call } = request;
  const { body, headers = {} } = call;
  const isPlain = body === undefined || body instanceof FormData || Buffer.isBuffer(body) || typeof body === 'string';
  const answer = await fetch(`${url}${path}${query}`, {
    method,
    headers: {
      ...(!isPlain && !(body instanceof URLSearchParams) && { 'Content-Type': 'application/json' }),
      ...headers,
      ...as,
    },
    body: (isPlain || body instanceof URLSearchParams ? (body ?? null) : JSON.stringify(body)) as BodyInit | null,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  // Work that an earlier call has caused writes lines as well.
  const ofRequest = () => lines.slice(from).filter((line) => line.includes(answer.headers.get('x-request-id') ?? ''));
  await vi.waitFor(() => expect(ofRequest()).not.toEqual([]), { timeout: 20_000, interval: 5 });
  const isPack = answer.headers.get('content-type') === 'application/zip';
  const raw = isPack
    ? entriesOf(bytes)
        .map(({ name, content }) => `${name}\n${content.toString('utf8')}`)
        .join('\n')
    : bytes.toString('utf8');
  return {
    raw,
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => !VARYING_HEADERS.includes(name))
      .map(([name, value]) => normalised(`${name}: ${value}`))
      .sort(),
    body: normalised(raw, isInAnyOrder),
    lines: ofRequest().map((line) => normalised(line.replaceAll(/"(?:time|ms)":[^,}]+/g, ''))),
  };
}

/**
 * Returns the first place where two callers are told something else, with what stands there; nothing if they are told
 * the same.
 * With `sharesQuota`, the credential has made other calls as well, so that what is left of its quota is no answer.
 */
export function difference(one: Told, other: Told, sharesQuota = false): string {
  const left = (header: string): string => (sharesQuota ? header.replaceAll(/;r=\d+/g, '') : header);
  const texts = [one, other].map(({ status, headers, body, lines: log }) =>
    [status, ...headers.map(left), body, ...log].join('\n'),
  );
  const [first = '', second = ''] = texts;
  if (first === second) return '';
  const at = [...first].findIndex((_, index) => first[index] !== second[index]);
  const from = Math.max(0, (at === -1 ? first.length : at) - 60);
  return [first, second].map((text) => text.slice(from, from + 120)).join(' <> ');
}

export type Caller = readonly [name: string, credential: (tenant: Tenant) => Promise<Credential>];

/** Returns a caller of each kind for one purpose, because some operations end the session of their caller. */
export function callersFor(purpose: string): readonly Caller[] {
  const people = ROLES.filter((role) => role !== 'platform_admin').map(
    (role: Role): Caller => [role, (tenant) => tenant.user(role, { purpose, secondFactor: true })],
  );
  return [
    ['nobody', () => Promise.resolve({})],
    ...people,
    ['a key that reads', (tenant) => tenant.key(['read'], { name: 'Onlooker' })],
    ['a key that may do everything', (tenant) => tenant.key(['admin'], { name: 'Onlooker' })],
    ['a client that writes', (tenant) => tenant.client(['write'], { name: 'Onlooker' })],
  ];
}
