import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS } from './command.ts';
import type { Result } from './result.ts';
import { vitest } from './vitest.ts';

const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string; readonly title: string; readonly ancestorTitles: readonly string[] }[] }[];
}

/** Every sample of the reference and every program of the guides, run against a service with the packages as they are built. */
export async function samples(): Promise<Result> {
  const result = await vitest('samples', 'test/samples/vitest.config.ts');
  // A run that broke off before its report has nothing to count.
  return result.passed === 0 ? result : { ...result, figures: figures() };
}

function figures(): string[] {
  const { testResults } = JSON.parse(readFileSync(join(LOGS, 'samples.json'), 'utf8')) as Report;
  const run = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ ancestorTitles: [group = ''] }) => /^(?:the sample of|the guide) /.test(group));
  return ['the sample of', 'the guide'].map((kind) => {
    const those = run.filter(({ ancestorTitles: [group = ''] }) => group.startsWith(kind));
    const each = LANGUAGES.map((language) => `${language} ${those.filter(({ title }) => title.includes(` ${language} `)).length}`);
    const failed = those.filter(({ status }) => status !== 'passed').length;
    return `${those.length} ${kind === 'the guide' ? 'programs of the guides' : 'samples'} executed (${each.join(', ')}), ${failed} failed`;
  });
}
