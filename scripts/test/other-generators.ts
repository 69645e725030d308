/**
 * Follows the guide to other languages with a foreign generator. A step of `make test`. Fails if the needed compilers
 * are not installed.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Result, run, tail } from './command.ts';
import { startLiveService } from './live-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORK = join(ROOT, 'build/other-generators');
const TOOLS = ['java', 'mvn', 'go'];
const DOCUMENTS = ['openapi-3.0.json', 'openapi.json'];

interface Chapter {
  readonly title: string;
  /** Program of a chapter, if it has one, and the file that its reader writes it to. */
  readonly program: { readonly file: string; readonly source: string } | null;
  readonly commands: string;
  readonly shown: string;
}

/**
 * Follows the guide to other languages as printed: generates clients with a foreign generator, compiles them and calls
 * a live service with them, once with each of the published documents.
 */
export async function otherGenerators(): Promise<Result> {
  const missing = TOOLS.filter(
    (tool) => !process.env['PATH']!.split(delimiter).some((folder) => existsSync(join(folder, tool))),
  );
  if (missing.length > 0)
    return {
      passed: 0,
      failed: 1,
      complaint: `    ✗ ${missing.join(', ')} must be installed to compile clients of foreign generators`,
    };
  const service = await startLiveService('other-generators');
  try {
    const { baseUrl, clientId, clientSecret } = JSON.parse(readFileSync(service.demo, 'utf8')) as Readonly<
      Record<string, string>
    >;
    const env = {
      COMPLIANCE_BASE_URL: baseUrl!,
      COMPLIANCE_CLIENT_ID: clientId!,
      COMPLIANCE_CLIENT_SECRET: clientSecret!,
    };
    const results: Result[] = [];
    for (const document of DOCUMENTS) {
      const folder = join(WORK, document.replace('.json', ''));
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      cpSync(join(ROOT, 'docs/tour/proof-of-address.pdf'), join(folder, 'proof-of-address.pdf'));
      for (const chapter of chapters()) results.push(await follow(folder, document, chapter, env));
    }
    return {
      passed: results.reduce((sum, { passed }) => sum + passed, 0),
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
      figures: results.flatMap(({ figures }) => figures ?? []),
      complaint: results.map(({ complaint }) => complaint ?? '').join(''),
    };
  } finally {
    await service.stop();
  }
}

async function follow(
  folder: string,
  document: string,
  { title, program, commands, shown }: Chapter,
  env: Readonly<Record<string, string>>,
): Promise<Result> {
  if (program !== null) writeFileSync(join(folder, program.file), program.source);
  const begun = performance.now();
  const script = commands.replaceAll('/openapi-3.0.json"', `/${document}"`);
  const { code, output } = await run(
    `other-generators-${title.toLowerCase()}-${document}`,
    'sh',
    ['-ec', `cd ${folder}\n${script}`],
    env,
  );
  const seconds = Math.round((performance.now() - begun) / 1000);
  // The generator and Maven colour their output even if colours are switched off.
  const said = output.replaceAll(/\x1b\[[0-9;]*m/g, '');
  if (code !== 0 || !said.includes(shown))
    return { passed: 0, failed: 1, complaint: `    ✗ ${title} of ${document}\n${tail(said, 40)}\n` };
  return {
    passed: 1,
    failed: 0,
    figures: program === null ? [] : [`${title} of ${document}: generated, compiled and run in ${seconds} s`],
  };
}

/** Splits the guide by its headings; the text before the first heading prepares the rest. */
function chapters(): Chapter[] {
  const guide = readFileSync(join(ROOT, 'docs/guides/other-languages.md'), 'utf8');
  return guide.split(/^## /m).map((text, index) => {
    const block = (language: string): string | null =>
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? null;
    const title = index === 0 ? 'generator' : text.slice(0, text.indexOf('\n'));
    const file = /^`([^`]+)`:$/m.exec(text)?.[1];
    const [commands, source] = [block('sh'), file === undefined ? null : block('(?:java|go)')];
    if (commands === null || (index > 0 && source === null))
      throw new Error(`docs/guides/other-languages.md has no commands or no program under "${title}"`);
    return {
      title,
      program: source === null ? null : { file: file!, source },
      commands,
      shown: block('console') ?? '',
    };
  });
}
