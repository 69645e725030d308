/** Tests that every setting is read by the service, or is marked as not yet in effect. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type Contract, dereference, type Schema } from '../../../scripts/contract/contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import { operations } from '../../contract/generated/operations.ts';
import { jobs } from '../../periodic-jobs.ts';
import { defaultSettings } from './settings.ts';

const SERVER = resolve(import.meta.dirname, '../..');
const TYPES = join(SERVER, 'contract/generated/types.ts');
const contract: Contract = projectContract();

/**
 * Members without effect yet. The operation or periodic job that will read them must not exist, so that the words "to
 * come" stay true.
 */
const TO_COME: Readonly<Record<string, RegExp>> = {
  '/retention/auditYears': /audit\.purge|purgeAudit/i,
};

/** Members that the service stores only for the tenant's own pages, as their descriptions say. */
const FOR_OWN_PAGES: readonly string[] = [
  '/branding/displayName',
  '/branding/logoDocumentId',
  '/branding/primaryColor',
  '/branding/supportEmail',
];

/** Members that are equal for every tenant and read-only. */
const SAME_FOR_ALL: readonly string[] = ['/decisionPolicy/reasonCatalogue'];

interface Member {
  readonly pointer: string;
  /** Schema that has the member as its property, and the name of that property. */
  readonly owner: string;
  readonly name: string;
}

const FOLLOWED = ['fourEyes'];

/** Lists the sections, their members, and those of the four-eyes rule. */
function members(owner = 'TenantSettings', pointer = ''): Member[] {
  const { properties = {} } = dereference(contract, { $ref: `#/components/schemas/${owner}` });
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (pointer === '' && !(name in defaultSettings)) return [];
    const below = schema.$ref?.split('/').at(-1);
    const isFollowed = below !== undefined && (pointer === '' || FOLLOWED.includes(name));
    return isFollowed ? members(below, `${pointer}/${name}`) : [{ pointer: `${pointer}/${name}`, owner, name }];
  });
}

const schemaOf = ({ owner, name }: Member): Schema =>
  dereference(contract, { $ref: `#/components/schemas/${owner}` }).properties![name]!;
const textOf = (member: Member): string => {
  const owner = dereference(contract, { $ref: `#/components/schemas/${member.owner}` });
  return `${schemaOf(member).description ?? ''} ${owner.description ?? ''}`;
};
const isDeprecated = (member: Member): boolean => schemaOf(member).deprecated === true;

/** Files that only set, check and present the settings, and do not count as readers. */
const KEEPERS = ['settings.ts', 'settings-rules.ts', 'update-settings.ts', 'replaced-members.ts', 'handlers.ts'].map(
  (name) => `modules/tenant-settings/${name}`,
);

/** Returns the files of the service that read a member, found by the compiler. */
function readersOf(wanted: readonly Member[]): Map<string, string[]> {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        !name.startsWith('pages/dashboard') &&
        !name.includes('testing/'),
    )
    .map((name) => join(SERVER, name));
  const options = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(SERVER, '../tsconfig.json'), (file) => readFileSync(file, 'utf8')).config,
    ts.sys,
    join(SERVER, '..'),
  ).options;
  const service = ts.createLanguageService({
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getCompilationSettings: () => options,
    getCurrentDirectory: () => SERVER,
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const text = readFileSync(TYPES, 'utf8');
  return new Map(
    wanted.map(({ pointer, owner, name }) => {
      const declared = new RegExp(`^ {8}(?:readonly )?${owner}: \\{$`, 'm').exec(text);
      const within = text.slice(declared!.index);
      const place = new RegExp(`^ {12}(?:readonly )?(${name})\\??:`, 'm').exec(within)!;
      const references = service.findReferences(TYPES, declared!.index + place.index + place[0].indexOf(name)) ?? [];
      const readers = references
        .flatMap((found) => found.references)
        .map(({ fileName }) => relative(SERVER, fileName))
        .filter((file) => !file.startsWith('contract/generated') && !KEEPERS.includes(file));
      return [pointer, [...new Set(readers)]];
    }),
  );
}

describe('every member of the settings', () => {
  const all = members();

  it('is found', () => {
    expect(all.length).toBeGreaterThan(30);
    const known = all.map(({ pointer }) => pointer);
    expect(
      [...Object.keys(TO_COME), ...FOR_OWN_PAGES, ...SAME_FOR_ALL].filter((pointer) => !known.includes(pointer)),
    ).toEqual([]);
  });

  it('is read by the service, or is deprecated, or its description says that its effect is to come, that it is for the tenant’s own pages, or that it cannot be set', () => {
    const readers = readersOf(all.filter((member) => !isDeprecated(member)));
    const unread = [...readers].filter(([, files]) => files.length === 0).map(([pointer]) => pointer);
    // Only the checklist reads the name that applicants see.
    expect(unread.sort()).toEqual(
      [
        ...Object.keys(TO_COME),
        ...FOR_OWN_PAGES.filter((pointer) => pointer !== '/branding/displayName'),
        ...SAME_FOR_ALL,
      ].sort(),
    );
  }, 120_000);

  it.each(all.filter(({ pointer }) => pointer in TO_COME))(
    'says "to come" in the contract only while no operation or job reads it: $pointer',
    (member) => {
      expect(textOf(member)).toMatch(/to come/);
      const brings = TO_COME[member.pointer]!;
      expect(
        [...Object.keys(operations), ...jobs.map(({ name }) => name)].filter((name) => brings.test(name)),
        'it is there: read the member, and say so',
      ).toEqual([]);
    },
  );

  it.each(all.filter(({ pointer }) => FOR_OWN_PAGES.includes(pointer)))(
    'says that it is kept for your own pages: $pointer',
    (member) => expect(textOf(member)).toMatch(/for your own/),
  );

  it('says "to come" nowhere else', () => {
    expect(
      all
        .filter((member) => !(member.pointer in TO_COME) && /to come/.test(textOf(member)))
        .map(({ pointer }) => pointer),
    ).toEqual([]);
  });
});

describe('the page of the settings', () => {
  /** Section or text of the member with the words "to come", by its pointer. */
  const SAID: Readonly<Record<string, (words: Words) => string>> = {
    '/retention/auditYears': ({ retention }) => retention['auditHint']!,
  };
  type Words = Readonly<Record<'retention', Readonly<Record<string, string>>>>;
  const languages = [
    ['english', 'settings-words-en.ts', /to come/i],
    ['portuguese', 'settings-words-pt.ts', /em breve|ainda virão/i],
  ] as const;

  it.each(languages)('says "to come" of the same members in %s', async (name, file, toCome) => {
    const module = (await import(
      new URL(`../../pages/dashboard/pages/settings/${file}`, import.meta.url).href
    )) as Record<string, { readonly sections: Words }>;
    const { sections } = module[name]!;
    const unsaid = Object.keys(TO_COME).filter((pointer) => {
      const [, said] =
        Object.entries(SAID).find(([place]) => pointer === place || pointer.startsWith(`${place}/`)) ?? [];
      return said === undefined || !toCome.test(said(sections));
    });
    expect(unsaid).toEqual([]);
    const others = JSON.stringify(sections).match(new RegExp(toCome.source, 'gi')) ?? [];
    expect(others).toHaveLength(Object.keys(SAID).length);
  });
});
