/**
 * What a reader does before running a sample. Used by reference.test.ts. Fails if a sample does not show what must be
 * replaced.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inject } from 'vitest';
import { credentialOf as shownCredentialOf } from '../../../scripts/generate/code-samples/sample.ts';
import type { CodeSample } from '../../../scripts/generate/code-samples/sample.ts';
import type { Operation } from '../../../server/contract/operation.ts';
import { arrange } from '../../operations.ts';
import { requestToken, success } from '../../support/api.ts';
import { exampleBodies, parametersOf } from '../../support/contract.ts';
import { scopesOf } from '../../support/credentials.ts';
import { takeInRecovery } from '../../support/recoveries.ts';
import type { Credential, Tenant, TestService } from '../../support/service.ts';
import type { Variables } from './runner.ts';

/**
 * What a reader does before running a sample: gets a credential, and replaces the sample's examples with real ids and
 * secrets.
 */
export interface Preparation {
  readonly variables: Variables;
  /** Texts of the sample, each with the reader's real value. */
  readonly replacements: ReadonlyMap<string, string>;
}

export async function prepare(
  service: TestService,
  operation: Operation,
  lang: CodeSample['lang'],
  of: Tenant = service.acme,
): Promise<Preparation> {
  const { tenant, as, params, headers, given } = await arrange(service, of, operation);
  const replaced = operation.operationId === 'acknowledgeFundsRecoveryEvents' ? await readPage(service, tenant) : given;
  const replacements = new Map<string, string>();
  const known = { ...params, ...headers };
  for (const { name, example } of parametersOf(operation))
    if (known[name] !== undefined) replacements.set(String(example), known[name]);
  const shown = exampleBodies(operation)[0]?.value ?? {};
  for (const [name, value] of Object.entries(replaced)) {
    if (shown[name] === undefined || shown[name] === null) continue;
    // The reader has the file under the name that the sample shows.
    if (value instanceof Uint8Array) writeFileSync(join(inject('desk'), String(shown[name])), value);
    else for (const [text, real] of differing(shown[name], value)) replacements.set(text, real);
  }
  return {
    variables: {
      COMPLIANCE_BASE_URL: service.url,
      ...(await credential({
        service,
        tenant,
        operation,
        lang,
        person: as,
      })),
    },
    replacements,
  };
}

/** Returns the texts of a shown value with their real ones, also those within an object. */
function differing(shown: unknown, real: unknown): (readonly [string, string])[] {
  if (typeof shown !== 'object' || shown === null) return [[String(shown), String(real)]];
  return Object.entries(shown)
    .map(([name, member]) => [member, (real as Record<string, unknown>)[name]] as const)
    .filter(([one, other]) => !isDeepStrictEqual(one, other))
    .flatMap(([one, other]) => differing(one, other));
}

/** Returns the sample as the reader runs it, with each example replaced. */
export function filledIn(source: string, { replacements }: Preparation): string {
  // An id may be part of a secret, so the longest is replaced first; in a string with double quotes those of an entity
  // tag are escaped.
  const forms = [...replacements]
    .flatMap(
      ([shown, real]) =>
        [
          [shown, real],
          [escaped(shown), escaped(real)],
        ] as const,
    )
    .toSorted(([a], [b]) => b.length - a.length);
  for (const shown of replacements.keys()) {
    if (!source.includes(shown) && !source.includes(escaped(shown)))
      throw new Error(`the sample does not show ${shown}, which its reader must replace`);
  }
  let text = source;
  forms.forEach(([shown], index) => {
    text = text.replaceAll(shown, mark(index));
  });
  forms.forEach(([, real], index) => {
    text = text.replaceAll(mark(index), () => real);
  });
  return text;
}

/** Returns a placeholder for a replacement, so that inserted values are not searched again. */
function mark(index: number): string {
  return `\u0000${index}\u0000`;
}

function escaped(text: string): string {
  return text.replaceAll('"', '\\"');
}

/** Reads a page, because a machine acknowledges a page that it has read itself. */
async function readPage(service: TestService, tenant: Tenant): Promise<object> {
  await takeInRecovery(service.database.database, tenant.id);
  const token = await tokenFor(service, keyIn(await tenant.key(['read'])));
  const {
    body: { cursor },
  } = await success(
    service.api.GET('/api/v1/funds-recovery/events', { headers: { Authorization: `Bearer ${token}` } }),
  );
  return { cursor };
}

interface Reading {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly operation: Operation;
  readonly lang: CodeSample['lang'];
  readonly person: Credential;
}

async function credential({ service, tenant, operation, lang, person }: Reading): Promise<Variables> {
  const shown = shownCredentialOf({
    security: operation.security as Parameters<typeof shownCredentialOf>[0]['security'],
  });
  switch (shown) {
    case 'none':
      return {};
    case 'person token':
      return { COMPLIANCE_ACCESS_TOKEN: person['Authorization']!.replace('Bearer ', '') };
    case 'api key':
      return { COMPLIANCE_API_KEY: keyIn(await tenant.key(scopesOf(operation, 'apiKey'))) };
    case 'machine token': {
      const key = keyIn(await tenant.key(scopesOf(operation, 'oauth2')));
      return lang === 'curl' ? { COMPLIANCE_ACCESS_TOKEN: await tokenFor(service, key) } : { COMPLIANCE_API_KEY: key };
    }
  }
}

function keyIn(credential: Credential): string {
  return credential['X-API-Key']!;
}

/** Gets a token as the sample of `createToken` does. */
async function tokenFor(service: TestService, key: string): Promise<string> {
  return (await success(requestToken(service.api, key))).body.access_token;
}
