/** Tests of the data for the pages of error codes. */
import { describe, expect, it } from 'vitest';
import { projectContract } from '../contract/project.ts';
import { buildModel } from './build-model.ts';
import { problemPages } from './problem-pages.ts';

const contract = projectContract();
const model = buildModel(contract);
const { problems, operations } = problemPages(contract, model);

describe('What the pages of the problem codes show', () => {
  it('is there for every code, with an example of that code', () => {
    expect(Object.keys(problems)).toEqual(model.problems.map(({ code }) => code));
    for (const [code, { example }] of Object.entries(problems))
      expect(example, code).toMatchObject({ code, type: `/problems/${code}` });
  });

  it('names an operation that may answer it, except for what is refused before an operation is found or by a defect', () => {
    const unplaced = Object.entries(problems)
      .filter(([, { operations: found }]) => found.length === 0)
      .map(([code]) => code);
    expect(unplaced.toSorted()).toEqual([
      'expectation_failed',
      'header_fields_too_large',
      'internal_error',
      'malformed_request',
      'method_not_allowed',
      'request_timeout',
      'transfer_coding_unsupported',
    ]);
    for (const { operations: found } of Object.values(problems))
      for (const id of found) expect(operations).toHaveProperty(id);
  });

  it('takes the operations from examples and from what the dialect declares', () => {
    expect(problems['requirements_missing']?.operations).toEqual([
      'createApplication',
      'submitApplication',
      'submitBusiness',
    ]);
    expect(problems['cursor_filter_mismatch']?.operations).toContain('listApplications');
    expect(problems['step_up_required']?.operations).toContain('goLive');
  });

  it('names the classes of both SDKs as they export them', async () => {
    const typescript = {
      ...(await import('../../sdks/typescript/src/core/errors.ts')),
      ...(await import('../../sdks/typescript/src/generated/resources/problems.ts')),
    };
    for (const { classes } of Object.values(problems)) {
      expect(typescript).toHaveProperty(classes.typescript.name);
      expect(typescript).toHaveProperty(classes.typescript.base);
    }
    expect(problems['rate_limited']?.classes).toEqual({
      typescript: { name: 'RateLimitedError', base: 'RateLimitError' },
      python: { name: 'RateLimitedError', base: 'RateLimitError' },
    });
  });
});
