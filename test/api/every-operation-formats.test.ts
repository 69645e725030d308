import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/contract/contract.ts';
import type { components } from '../../server/contract/generated/types.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { success } from '../support/api.ts';
import { exampleCall, send } from '../support/calls.ts';
import {
  dereferenced,
  everyOperation,
  exampleBodies,
  isPublic,
  jsonSchemaOf,
  parametersOf,
} from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { each } from '../support/each.ts';
import { useService } from '../support/service.ts';
import { type Place, placesOf, pointerOf } from '../support/worst-bodies.ts';

type Problem = components['schemas']['Problem'];

const service = await useService();

/** Texts that the words of a pattern (`x-must-be`) rule out, and texts that they allow. */
const WORDS: Readonly<Record<string, { readonly right: readonly string[]; readonly wrong: readonly string[] }>> = {
  '1 to 40 letters, digits, underscores, points and hyphens': { right: ['a.B-c_1'], wrong: ['a b', 'é', 'a/b'] },
  '1 to 40 small letters, digits and hyphens': { right: ['ofac-sdn'], wrong: ['OFAC', 'a_b'] },
  '1 to 64 letters, digits, points, colons, hyphens or low lines': {
    right: ['2026-11-25:a_b.c'],
    wrong: ['a b', 'a/b'],
  },
  '64 hexadecimal digits in lower case': { right: ['0a'.repeat(32)], wrong: ['0A'.repeat(32), 'g'.repeat(64)] },
  'a colour such as #0a5c36, in lower case': { right: ['#0a5c36'], wrong: ['#0A5C36', '0a5c361', '#0a5c3g'] },
  'a device token as a sign-in gave it, beginning with dt_': {
    right: [`dt_${'a'.repeat(40)}`],
    wrong: [`td_${'a'.repeat(40)}`],
  },
  'a domain in lower case, such as example.com': {
    right: ['example.com', 'xn--bcher-kva.example'],
    wrong: ['Example.com', 'example', '-a.com', 'a-.com', 'a..com', '.com'],
  },
  'a duration of ISO 8601 in days, hours, minutes and seconds, such as P1DT12H': {
    right: ['P1DT12H', 'PT30S'],
    wrong: ['P', 'PT', 'P1M', '1D', 'P1H'],
  },
  'a language tag of BCP 47, such as pt-BR': {
    right: ['pt-BR', 'zh-Hant-TW', 'es-419', 'de-CH-1901', 'en-US-u-ca-buddhist'],
    wrong: ['pt_BR', 'portuguese', 'pt-', 'pt-BR-BR-BR', 'p-BR', 'pt--BR'],
  },
  'a network in CIDR notation, such as 203.0.113.0/24': {
    right: ['203.0.113.0/24', '2001:db8::/32'],
    wrong: ['203.0.113.0', '203.0.113.0/33', '203.0.113.1/24', '999.0.0.0/8', ':::/8'],
  },
  'a phone number in E.164: a plus sign and 7 to 15 digits, such as +5511912345678': {
    right: ['+5511912345678'],
    wrong: ['5511912345678', '+0511912345678', '+55 11 91234', '+123456'],
  },
  'an IP address': {
    right: ['203.0.113.7', '2001:db8::7'],
    wrong: ['999.1.1.1', '1.2.3', ':::', 'abcd', '1.2.3.4:80'],
  },
  'capital letters and underscores': { right: ['FUNDS_RECOVERY'], wrong: ['funds', 'A1'] },
  'capital letters, digits and underscores': { right: ['A_1'], wrong: ['a_1', 'A-1'] },
  'digits and the letters a to f': { right: ['0a'.repeat(32)], wrong: ['0g'.repeat(32), '0A'.repeat(32)] },
  'eight capital letters and digits': { right: ['AB12CD34'], wrong: ['ab12cd34', 'AB12-D34'] },
  'letters and digits': { right: ['A1'], wrong: ['A-1', 'é1'] },
  'letters and digits, with single hyphens or spaces between them': {
    right: ['80010-000', '80010000', '80010 000'],
    wrong: ['-80010', '80010-', '80--10', '---', ' 80', '80 -10', '٣٣'],
  },
  'letters and marks of any script, spaces, apostrophes, points and hyphens, beginning with a letter; no digits and no other signs':
    {
      right: ['Ana d’Ávila', '’t Hooft'],
      wrong: ['--', '- Ana', 'Ana 2', 'Ana €', 'Ana ٣', '😀😀', 'Ana\u200dSouza', 'Ana_B', '’’'],
    },
  'letters, digits, points, slashes and hyphens': {
    right: ['529.982.247-25'],
    wrong: ['529 982 247 25', '٣٣٣٣٣٣٣٣٣٣٣'],
  },
  'letters, digits, points, slashes, hyphens and spaces': { right: ['529.982.247-25'], wrong: ['529_982', '٣٣٣'] },
  'letters, digits, points, underscores, slashes and hyphens': { right: ['DSR-2026/1'], wrong: ['-a', 'a b', 'é'] },
  'letters, digits, underscores and hyphens': { right: ['a_B-1'], wrong: ['a b', 'a+b'] },
  'lower-case letters and digits, with single hyphens between them': {
    right: ['acme-bank-2'],
    wrong: ['Acme', 'a--b', '-a', 'a-'],
  },
  'lower-case letters and underscores': { right: ['account_opening'], wrong: ['Account', 'a-b', 'a1'] },
  'lower-case letters, digits and hyphens': { right: ['pix-out-1'], wrong: ['Pix', 'a_b'] },
  'lower-case letters, digits and underscores': { right: ['pix_out_1'], wrong: ['Pix', 'a-b'] },
  'lower-case letters, digits, underscores and hyphens': { right: ['pix_out-1'], wrong: ['Pix', 'a.b'] },
  'sha256: and 64 hexadecimal digits, as an application shows it': {
    right: [`sha256:${'0a'.repeat(32)}`],
    wrong: [`sha256:${'0A'.repeat(32)}`, `sha512:${'0a'.repeat(32)}`],
  },
  'six digits': { right: ['123456'], wrong: ['12345a', '٣٣٣٣٣٣'] },
  'ten letters and digits, with or without a hyphen in the middle': {
    right: ['ABCDE-12345', 'ABCDE12345'],
    wrong: ['ABCD-E12345', 'ABCDE_12345'],
  },
  'text without the character NUL': { right: ['any text \u202e'], wrong: ['a\0b'] },
  'the code of a country in ISO 3166-1 alpha-2, such as BR': {
    right: ['BR', 'AX', 'SS', 'BQ'],
    wrong: ['ZZ', 'XX', 'UK', 'EU', 'XK', 'SU', 'br', 'AA'],
  },
  'the code of a country in ISO 3166-1 alpha-2, such as BR, or one that ISO 3166-3 has withdrawn, such as SU': {
    right: ['BR', 'SU', 'YU', 'DD', 'CS', 'TP', 'ZR'],
    wrong: ['ZZ', 'XX', 'UK', 'EU', 'XK', 'su'],
  },
  'the code of a currency in ISO 4217 that a country uses, such as BRL': {
    right: ['BRL', 'USD', 'XCG', 'ZWG', 'XOF'],
    wrong: ['ZZZ', 'AAA', 'brl', 'DEM', 'HRK', 'XXX', 'XTS', 'XAU', 'BTC'],
  },
  'the letter E or D and 31 letters and digits': {
    right: ['E40511220202611021014k3Jq81LmZ0a', 'D90400888202611031500a1B2c3D4e5F'],
    wrong: ['E40511220', 'X40511220202611021014k3Jq81LmZ0a', 'E40511220202611021014k3Jq81LmZ0-'],
  },
  'the name of an event, or its beginning and `.*`': {
    right: ['application.created', 'application.*'],
    wrong: ['Application', 'a*', 'a.**'],
  },
  'the prefix of a key, such as kyc_live_9hT2xQ4b': {
    right: ['kyc_live_9hT2xQ4b'],
    wrong: ['kyc_prod_9hT2xQ4b', 'kyc_live_9hT2xQ4'],
  },
  'visible ASCII characters without spaces': { right: ['key-1'], wrong: ['a b', 'é'] },
};

/** Right and wrong values of formats and of the bounds and orders of the dialect, each with the code of its error. */
const FORMATS: Readonly<Record<string, { readonly right: readonly string[]; readonly wrong: readonly string[] }>> = {
  'date': {
    right: ['1900-01-01', '2024-02-29'],
    wrong: [
      '0000-01-01',
      '0099-12-31',
      '1899-12-31',
      '2023-02-29',
      '2026-1-01',
      '2026-01-01T00:00:00Z',
      '+10000-01-01',
      '٢٠٢٦-٠١-٠١',
    ],
  },
  'date-time': {
    right: ['2026-01-31T09:05:00.120Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2016-12-31T23:59:60Z'],
    wrong: [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00+03',
      '2026-01-01',
      '10000-01-01T00:00:00Z',
    ],
  },
  'email': {
    right: [
      'ana@example.com',
      'ana+1@bücher.example',
      'ana@xn--bcher-kva.example',
      'joão@example.com'.replace('ã', 'a'),
      `${'a'.repeat(64)}@example.com`,
      'ana@пример.испытание',
    ],
    wrong: [
      `${'a'.repeat(65)}@example.com`,
      '"ana b"@example.com',
      'ana@[203.0.113.7]',
      'ana@203.0.113.7',
      'ana@example',
      'ana@-a.com',
      'ana..b@example.com',
      'ana@exa mple.com',
      'ana@a_b.com',
      'joão@example.com',
      'ana@exam\u200bple.com',
      `ana@${'ü'.repeat(63)}.com`,
    ],
  },
};

/** Returns the body with the value at a path; creates the objects and lists on the way. */
function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const object = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
}

const demandsOf = ({
  format,
  'x-must-be': words,
}: Schema): { readonly right: readonly string[]; readonly wrong: readonly string[] } | undefined =>
  words === undefined ? FORMATS[format ?? ''] : (WORDS[words] ?? { right: [], wrong: [] });

/** Returns whether the length of a text is accepted, because a wrong length is refused before its form counts. */
const fits = ({ minLength = 0, maxLength = Infinity }: Schema, text: string): boolean =>
  [...text].length >= minLength && [...text].length <= maxLength;

const sites = everyOperation.flatMap((operation) => {
  const schema = jsonSchemaOf(operation);
  const places =
    schema === null
      ? []
      : placesOf(schema).filter((place) => !place.path.includes('entry') && demandsOf(place.schema) !== undefined);
  return places.length === 0 ? [] : [{ operation, name: operation.operationId, places }];
});

async function ask(operation: Operation, { path }: Place, value: string) {
  const call = exampleCall(operation);
  const example = exampleBodies(operation).find(({ mediaType }) => mediaType.endsWith('json'));
  const as = isPublic(operation) ? {} : await credentialOf(service.acme, operation);
  const body = JSON.stringify(withValue({ ...example?.value, beside: 1 }, path, value));
  const answer = await send<Problem>(service, call, {
    as,
    body,
    headers: { 'Content-Type': operation.requestTypes[0]! },
  });
  // A body that contains the character NUL is refused as a whole.
  if (value.includes('\0')) return [answer.body.code];
  expect([answer.status, value], answer.text.slice(0, 300)).toEqual([422, value]);
  return (answer.body.errors ?? []).filter(({ pointer }) => pointer === pointerOf(path)).map(({ code }) => code);
}

/** Returns whether a value is a network, which the handlers validate after the schema. */
const isNetwork = ({ schema }: Place): boolean => schema['x-must-be']?.includes('CIDR') === true;

describe('what the contract promises of a text is enforced', () => {
  it('for every pattern whose words this table explains', () => {
    const words = new Set([
      ...sites.flatMap(({ places }) => places.map(({ schema }) => schema['x-must-be'])),
      ...everyOperation.flatMap((operation) =>
        parametersOf(operation).map(({ schema }) => dereferenced(schema)['x-must-be']),
      ),
    ]);
    words.delete(undefined);
    expect([...words].filter((word) => !Object.hasOwn(WORDS, word!))).toEqual([]);
  });

  it.each(sites)('in every member of $name that states a format or a pattern', async ({ operation, places }) => {
    const texts = places.flatMap((place) =>
      Object.entries(demandsOf(place.schema)!).flatMap(([which, values]) =>
        values.filter((value) => fits(place.schema, value)).map((value) => ({ place, which, value })),
      ),
    );
    for (const { place, which, value } of each(
      texts.filter((text) => text.which === 'right' || !isNetwork(text.place) || text.value === '203.0.113.0'),
    )) {
      const codes = await ask(operation, place, value);
      if (which === 'wrong') expect(codes, `${pointerOf(place.path)} ${value}`).not.toEqual([]);
      else
        expect(
          codes.filter((code) => ['pattern', 'format'].includes(code)),
          `${pointerOf(place.path)} ${value}`,
        ).toEqual([]);
    }
  });

  const withParameters = everyOperation.flatMap((operation) =>
    parametersOf(operation).flatMap(({ name, in: place, schema }) => {
      const described = dereferenced(schema);
      const text = described.type === 'array' ? dereferenced(described.items!) : described;
      return place === 'query' && demandsOf(text) !== undefined
        ? [
            {
              operation,
              id: operation.operationId,
              name,
              schema: text,
            },
          ]
        : [];
    }),
  );

  it.each(withParameters)('in the parameter $name of $id', async ({ operation, name, schema }) => {
    const as = isPublic(operation) ? {} : await credentialOf(service.acme, operation);
    const { path, method } = exampleCall(operation);
    for (const value of each(demandsOf(schema)!.wrong.filter((text) => fits(schema, text)))) {
      const answer = await service.request<Problem>(method, `${path}?${name}=${encodeURIComponent(value)}`, { as });
      expect([answer.status, value, answer.body.errors?.[0]?.parameter]).toEqual([400, value, name]);
    }
  });
});

describe('members that are in order', () => {
  const ordered = everyOperation.flatMap((operation) => {
    const schema = jsonSchemaOf(operation);
    return (schema === null ? [] : placesOf(schema)).flatMap(
      ({ path, schema: { 'x-in-order': pairs = [], properties = {} } }) =>
        pairs.map(([first, second]) => ({
          operation,
          id: operation.operationId,
          path,
          first: first!,
          second: second!,
          kind: [properties[first!]!]
            .flatMap((member) => [member, ...(member.oneOf ?? [])])
            .map(dereferenced)
            .find(({ type }) => type !== undefined && type !== 'null')!,
        })),
    );
  });

  it('are a date, an instant or a number each', () => {
    expect(ordered.map(({ id, first }) => `${id} ${first}`)).toEqual(
      expect.arrayContaining(['createApplication since', 'createAuditExport from', 'createAuditExport fromSequence']),
    );
  });

  it('are checked in the result of a patch, which may change one of the two alone', async () => {
    const as = await service.acme.key(['write']);
    const pepDeclaration = {
      isPep: true,
      role: 'Mayor',
      relationship: 'self',
      since: '2020-05-02',
    } as const;
    const created = await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva', pepDeclaration } },
      }),
    );
    const answer = await service.request<Problem>('PATCH', `/v1/applications/${created.body.id}`, {
      as,
      body: { applicant: { pepDeclaration: { until: '2020-05-01' } } },
    });
    expect([answer.status, answer.body.errors?.map(({ pointer, message }) => [pointer, message])]).toEqual([
      422,
      [['/applicant/pepDeclaration/until', 'must not be before since']],
    ]);
  });

  it.each(ordered)(
    'may be equal, and the later one is refused if it is earlier: $first and $second of $id',
    async ({ operation, path, first, second, kind }) => {
      const values: readonly [unknown, unknown] =
        kind.type === 'integer'
          ? [7, 6]
          : kind.format === 'date'
            ? ['2020-05-02', '2020-05-01']
            : ['2020-05-01T00:00:00+03:00', '2020-04-30T20:59:59Z'];
      const call = exampleCall(operation);
      const as = await credentialOf(service.acme, operation);
      const errorsOf = async (one: unknown, other: unknown) => {
        const body = JSON.stringify(
          withValue({ ...exampleBodies(operation)[0]?.value, beside: 1 }, path, { [first]: one, [second]: other }),
        );
        const answer = await send<Problem>(service, call, {
          as,
          body,
          headers: { 'Content-Type': operation.requestTypes[0]! },
        });
        return (answer.body.errors ?? [])
          .filter(({ code }) => code === 'range')
          .map(({ pointer, message }) => [pointer, message]);
      };
      expect(await errorsOf(values[0], values[1])).toEqual([
        [pointerOf([...path, second]), `must not be before ${first}`],
      ]);
      expect(await errorsOf(values[1], values[0])).toEqual([]);
      expect(await errorsOf(values[0], values[0])).toEqual([]);
    },
  );
});
