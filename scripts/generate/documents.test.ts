import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildModel } from './build-model.ts';
import { codeSamples } from './code-samples/code-samples.ts';
import { docsContract } from './documents.ts';
import { fixtureContract } from './fixtures/contract.ts';

const contract = fixtureContract();
const samples = codeSamples(buildModel(contract));
const readers = docsContract(contract, samples);

describe('the contract for readers', () => {
  it('leaves out tags that have no operation yet', () => {
    expect(contract.tags?.map(({ name }) => name)).toContain('monitoring');
    expect(readers.tags?.map(({ name }) => name)).toEqual(['oauth', 'applications', 'settings']);
  });

  it('carries the samples on every operation, and the contract itself carries none', () => {
    const operation = readers.paths['/v1/applications']?.post as { 'x-codeSamples'?: unknown } | undefined;
    expect(operation?.['x-codeSamples']).toEqual(samples.get('createApplication'));
    expect(JSON.stringify(contract)).not.toContain('x-codeSamples');
  });

  it('has the labels that the reference page lists, or the page would hide the samples', () => {
    const config = parse(readFileSync(new URL('redocly.docs.yaml', import.meta.url), 'utf8')) as
      { openapi: { codeSamples: { languages: { lang: string; label: string }[] } } };
    const labels = samples.get('createApplication')?.map(({ lang, label }) => ({ lang, label }));
    expect(labels).toEqual(config.openapi.codeSamples.languages);
  });
});
