/**
 * Requests and responses that differ from the examples in one step. Used by the tests that compare our validators with
 * the package's own.
 */
import type { Shown } from './examples.ts';
import { responseLocation, bodyLocation, type SchemaLocation } from './locations.ts';

export interface Probe {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  /** Query string as sent. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | null;
  readonly body: unknown;
}

const WRONG: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  '',
  ' ',
  'x',
  'x'.repeat(600),
  '2026-13-45',
  [],
  ['x'],
  {},
  { x: 1 },
];
const WRONG_TEXT = ['0', '-1', '1.5', '%20', 'x', 'true', 'x'.repeat(600), '2026-13-45', '%00x', 'a%20b'];

/** Varied members by their location: a part that many bodies share is varied only in the first of them. */
export class Varied {
  readonly #done = new Set<string>();

  isNew(location: string, what: string): boolean {
    const before = this.#done.size;
    return this.#done.add(`${location} ${what}`).size > before;
  }
}

/** Returns the example request, and all requests that differ from it in one step. */
export function probesOf({ operation, params, query, headers, bodies }: Shown, varied: Varied): Probe[] {
  const [first] = bodies;
  const base = {
    params,
    search: '',
    headers: {},
    mediaType: first?.mediaType ?? null,
    body: first?.value,
  };
  const probes: Probe[] = [{ ...base, name: 'as shown' }];
  for (const { mediaType, value } of bodies)
    probes.push({
      ...base,
      name: `example as ${mediaType}`,
      mediaType,
      body: value,
    });
  for (const name of Object.keys(params)) {
    for (const wrong of WRONG_TEXT.slice(0, -3))
      probes.push({ ...base, name: `path ${name}=${wrong}`, params: { ...params, [name]: decodeURIComponent(wrong) } });
  }
  for (const [name, example] of Object.entries(query)) {
    probes.push({ ...base, name: `query ${name}`, search: `${name}=${encodeURIComponent(example)}` });
    probes.push({
      ...base,
      name: `query ${name} twice`,
      search: `${name}=${encodeURIComponent(example)}&${name}=${encodeURIComponent(example)}`,
    });
    probes.push({ ...base, name: `query ${name} empty`, search: `${name}=` });
    for (const wrong of WRONG_TEXT)
      probes.push({ ...base, name: `query ${name}=${wrong}`, search: `${name}=${wrong}` });
  }
  probes.push({ ...base, name: 'unknown query parameter', search: 'nobody=1' });
  for (const [name, example] of Object.entries(headers)) {
    probes.push({ ...base, name: `header ${name}`, headers: { [name]: example } });
    for (const wrong of ['x'.repeat(600), 'a b'])
      probes.push({ ...base, name: `header ${name}: ${wrong.slice(0, 9)}`, headers: { [name]: wrong } });
  }
  if (first !== undefined && first.mediaType.endsWith('json')) {
    for (const [name, body] of variations(first.value, 'body', bodyLocation(operation, first.mediaType), varied))
      probes.push({ ...base, name, body });
    for (const wrong of WRONG) probes.push({ ...base, name: `body ${JSON.stringify(wrong)}`, body: wrong });
  }
  return probes;
}

/**
 * Yields every object in a value once without each of its members, with each replaced by a wrong value, and with an
 * extra member.
 */
function* variations(
  value: unknown,
  path: string,
  where: SchemaLocation,
  varied: Varied,
): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const { location } = where.of(value);
  if (Array.isArray(value)) {
    if (varied.isNew(location, 'doubled')) yield [`${path} doubled`, [...value, ...value]];
    for (const [name, changed] of variations(value[0], `${path}/0`, where.item(value), varied))
      yield [name, [changed, ...value.slice(1)]];
    return;
  }
  if (varied.isNew(location, 'with more')) yield [`${path} with more`, { ...value, nobody: 1 }];
  for (const [name, member] of Object.entries(value)) {
    if (varied.isNew(location, `/${name}`)) {
      const { [name]: _, ...without } = value as Record<string, unknown>;
      yield [`${path} without ${name}`, without];
      for (const wrong of WRONG)
        yield [`${path}/${name} = ${JSON.stringify(wrong).slice(0, 12)}`, { ...value, [name]: wrong }];
    }
    for (const [inner, changed] of variations(
      member,
      `${path}/${name}`,
      where.member(value as Record<string, unknown>, name),
      varied,
    ))
      yield [inner, { ...value, [name]: changed }];
  }
}

/** Returns variations of an example response. */
export function answersAround(
  { operation }: Shown,
  { status, mediaType, value }: Shown['answers'][number],
  varied: Varied,
): [string, unknown][] {
  return [['as shown', value], ...variations(value, 'answer', responseLocation(operation, status, mediaType), varied)];
}
