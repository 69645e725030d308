/** Tests that what does not exist yet is called so wherever it is mentioned. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectContract } from '../../scripts/contract/project.ts';
import { areaOf } from '../../server/contract/operation.ts';
import { DASHBOARD_PAGES } from '../../server/pages/dashboard.ts';
import { landingPage } from '../../server/pages/landing.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const contract = projectContract() as unknown as Contract;

/** Mark after a text about a feature that is not available yet; it is removed once the feature is. */
const MARK = /to come/;

/**
 * Words with which texts name an area. Areas are tags of the contract; a tag without operations is not available yet.
 */
const WORDS: Readonly<Record<string, RegExp>> = {
  screenings: /\bscreen(?:ings?|ed)\b/i,
  verifications: /\bliveness\b|\bface match/i,
  risk: /\brisk (?:models?|scores?)\b|\blow risk\b/i,
  cases: /\bcase management\b|\b(?:review|case)s? queues?\b|\bqueues? of (?:manual )?(?:reviews|cases)\b/i,
  businesses: /\bcompan(?:y|ies)\b|\bKYB\b|\bbeneficial owners?\b/i,
  monitoring: /\bongoing monitoring\b/i,
  workflows: /\bBPMN\b|\bprocess definitions?\b/i,
};

const operations = Object.values(contract.paths)
  .flatMap((item) => Object.values(item))
  .filter((entry): entry is Operation => typeof entry === 'object' && 'operationId' in entry);
const served = new Set(operations.flatMap(({ tags }) => tags));
const missing = contract.tags.filter(({ name }) => !served.has(name)).map(({ name }) => name);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
interface Contract {
  readonly info: { readonly summary: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | object | string>>>>;
  readonly components: {
    readonly securitySchemes: {
      readonly oauth2: {
        readonly flows: { readonly clientCredentials: { readonly scopes: Readonly<Record<string, string>> } };
      };
    };
  };
}

/** Returns the texts that name an unavailable area without the mark. */
function unmarked(texts: readonly string[]): string[] {
  const words = missing.map((name) => WORDS[name]!);
  return texts.filter(
    (text) => words.some((pattern) => pattern.test(text.replaceAll(/`[^`]*`/g, ''))) && !MARK.test(text),
  );
}

/** Returns every description, summary and title of the contract. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    ['description', 'summary', 'title'].includes(name) && typeof value === 'string'
      ? value.split(/\n\s*\n/)
      : textsOf(value),
  );
}

describe('What does not exist yet', () => {
  it('is described in words that this test knows', () => {
    expect(missing.filter((name) => !(name in WORDS))).toEqual([]);
  });

  it('is marked in the contract: tags and scopes that no operation has, and no others', () => {
    expect(contract.tags.filter(({ description }) => MARK.test(description)).map(({ name }) => name)).toEqual(missing);
    const needed = new Set(
      operations.flatMap((operation) => [
        ...(operation.security ?? []).flatMap((one) => Object.values(one).flat()),
        ...operation.tags.map((tag) => areaOf({ tag }).scope),
      ]),
    );
    const { scopes } = contract.components.securitySchemes.oauth2.flows.clientCredentials;
    expect(Object.keys(scopes).filter((scope) => MARK.test(scopes[scope]!))).toEqual(
      Object.keys(scopes).filter((scope) => !needed.has(scope)),
    );
  });

  it('is listed in the introduction of the contract by its tags', () => {
    const [, list = ''] = /To come:([^.]*)\./.exec(contract.info.description) ?? [];
    expect([...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual(missing);
  });

  it('is marked wherever a text of the contract mentions it', () => {
    expect(unmarked(textsOf(contract))).toEqual([]);
  });

  it('is marked wherever the readme, the guides and the pages mention it', () => {
    for (const file of [
      'README.md',
      ...globSync('docs/guides/*.md', { cwd: ROOT }),
      'sdks/typescript/README.md',
      'sdks/python/README.md',
    ]) {
      expect(
        unmarked(
          read(file)
            .replaceAll(/^```.*?^```/gms, '')
            .split(/\n\s*\n|^\|/m),
        ),
        file,
      ).toEqual([]);
    }
    expect(unmarked(DASHBOARD_PAGES.map(({ description }) => description))).toEqual([]);
    const landing = landingPage(
      {
        version: '1',
        summary: contract.info.summary,
        operations: 1,
        samples: [],
      },
      'http://localhost',
      { demo: true, outbox: true },
    ).body.text;
    expect(unmarked(landing.split('\n').map((line) => line.replaceAll(/<[^>]*>/g, '')))).toEqual([]);
  });
});
