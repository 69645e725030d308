/** Tests of the pages of error codes. */
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { problems } from '../contract/generated/problems.ts';
import type { ProblemPages } from '../contract/problem-facts.ts';
import { isProblemCode, problemPage } from './problems.ts';

const facts = {
  example: { code: 'version_conflict', detail: 'a < b' },
  members: [{ name: 'currentVersion', description: 'The `version` it has.' }],
  classes: {
    typescript: { name: 'VersionConflictError', base: 'PreconditionFailedError' },
    python: { name: 'VersionConflictError', base: 'PreconditionFailedError' },
  },
};
const operations = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `op${index}`,
    { summary: `Operation ${index}`, method: 'get', path: `/v1/things/${index}` },
  ]),
);
const shown = (names: readonly string[]): string => {
  const pages: ProblemPages = { operations, problems: { version_conflict: { ...facts, operations: names } } };
  return problemPage('version_conflict', pages).body.text;
};

describe('The page of an error code', () => {
  it('shows an example, the members of the code, and the class of each SDK', () => {
    const text = shown(['op1']);
    expect(text).toContain('&quot;detail&quot;: &quot;a &lt; b&quot;');
    expect(text).toContain('<dt><code>currentVersion</code></dt><dd>The <code>version</code> it has.</dd>');
    expect(text).toMatch(
      /<code class="name">errors\.VersionConflictError<\/code>, a <code>PreconditionFailedError<\/code>/,
    );
  });

  it('links to the operations that return it, and collapses a long list', () => {
    expect(shown(['op1', 'op2'])).toContain(
      '<li><a href="/reference#operation/op2">Operation 2</a> <code>GET /v1/things/2</code></li>',
    );
    expect(shown(['op1', 'op2'])).not.toContain('<details>');
    expect(shown(Object.keys(operations).slice(0, 13))).toContain('<summary>13 of 20 operations</summary>');
    expect(shown([])).toContain('Any address can answer this');
  });

  it('says what to do with every code, even if the documentation is not built', () => {
    for (const code of each(Object.keys(problems).filter(isProblemCode)))
      expect(problemPage(code, null).body.text, code).toMatch(/<dt>What to do<\/dt><dd>\S/);
  });
});
