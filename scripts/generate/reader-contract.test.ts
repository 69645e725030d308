/** Tests of the contract that readers and the reference get. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildModel } from './build-model.ts';
import { codeSamples } from './code-samples/code-samples.ts';
import { docsContract, referenceContract } from './reader-contract.ts';
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

  it('titles tags and security schemes in words', () => {
    expect(readers.tags).toContainEqual(expect.objectContaining({ name: 'oauth', 'x-displayName': 'OAuth 2.0' }));
    expect(readers.tags).toContainEqual(expect.objectContaining({ name: 'settings', 'x-displayName': 'Settings' }));
    expect(Object.keys(readers.components.securitySchemes ?? {})).toEqual([
      'Session of a person',
      'API key',
      'OAuth 2.0 token',
    ]);
    expect(readers.paths['/v1/applications']?.post?.security).toEqual([
      { 'Session of a person': ['write'] },
      { 'API key': ['write'] },
      { 'OAuth 2.0 token': ['write'] },
    ]);
  });

  it('says at every operation who may call it', () => {
    expect(readers.paths['/v1/applications']?.post?.description).toContain(
      'API keys and OAuth 2.0 tokens with the scope `write`.',
    );
  });

  it('has the labels that the reference page lists, or the page would hide the samples', () => {
    const config = parse(readFileSync(new URL('redocly.docs.yaml', import.meta.url), 'utf8')) as {
      openapi: { codeSamples: { languages: { lang: string; label: string }[] } };
    };
    const labels = samples.get('createApplication')?.map(({ lang, label }) => ({ lang, label }));
    expect(labels).toEqual(config.openapi.codeSamples.languages);
  });
});

describe('the contract of the reference', () => {
  const reference = referenceContract(readers);

  it('leads from an operation to the same one in the explorer', () => {
    expect(reference.paths['/v1/applications']?.post?.description).toMatch(
      /\[Try it in the explorer\]\(https:\/\/[\w.-]+\/explorer#tag\/applications\/POST\/v1\/applications\)$/,
    );
  });

  it('has every paragraph in one line, because the search leaves line breaks out, and keeps lists and tables', () => {
    const described = (description: string): string | undefined =>
      referenceContract({ ...readers, info: { ...readers.info, description } }).info.description;
    expect(described('The person who\nrotates it,\n92 times\n\n* one\n  two\n* three\n')).toBe(
      'The person who rotates it, 92 times\n\n* one two\n* three\n',
    );
    expect(described('## Title\n\n| a |\n|---|\n| b |\n\n1. one\n2. two')).toBe(
      '## Title\n\n| a |\n|---|\n| b |\n\n1. one\n2. two',
    );
  });
});
