/** Tests of the coverage of the contract: what was documented but never seen. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import type { Recording } from '../../test/support/recordings.ts';
import { documentedCodes, judge } from './coverage.ts';

const all = Object.values(operations) as readonly Operation[];
const asked = (operation: Operation | undefined): string =>
  `${operation?.method.toUpperCase()} ${operation?.path.replace(/\{\w+\}/g, 'x')}`;
const everything: Recording = {
  file: null,
  answers: all.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => ({ operation: operationId, status: Number(status), count: 1 })),
  ),
  mediaTypes: all.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, types]) =>
      types.map((type) => `${asked(operation)} ${status} ${type}`),
    ),
  ),
  codes: [...documentedCodes()].map((line) => {
    const [id, status, code] = line.split(' ');
    return `${asked(all.find(({ operationId }) => operationId === id))} ${status} ${code}`;
  }),
};
const answered = (operation: string, status: number): Recording => ({
  file: null,
  answers: [{ operation, status, count: 1 }],
  mediaTypes: [],
  codes: [],
});

describe('the contract coverage', () => {
  it('is complete if every documented status and media type was seen', () => {
    expect(judge([everything])).toMatchObject({
      failed: 0,
      complaint: '',
      figures: [
        expect.stringMatching(/^operations (\d+)\/\1, statuses (\d+)\/\2, media types (\d+)\/\3, problems (\d+)\/\4$/),
      ],
    });
  });

  it('names each status that was never seen', () => {
    const { failed, complaint } = judge([
      {
        ...everything,
        answers: everything.answers.filter(({ operation, status }) => operation !== 'getSandbox' || status !== 429),
      },
    ]);
    expect([failed, complaint]).toEqual([1, '    ✗ never seen: getSandbox 429']);
  });

  it('sees the refusal of a sealed operation by its path, because the service counts it among the unknown paths', () => {
    const answers = everything.answers.filter(({ operation, status }) => operation !== 'listReports' || status !== 404);
    expect(judge([{ ...everything, answers }])).toMatchObject({ failed: 0 });
  });

  it('names a media type that was never seen of a status that was', () => {
    const { complaint } = judge([
      {
        ...everything,
        mediaTypes: everything.mediaTypes.filter(
          (line) => !(line.startsWith('GET /v1/applications/') && line.endsWith('image/webp')),
        ),
      },
    ]);
    expect(complaint).toBe('    ✗ never seen: downloadDocument 200 image/webp');
  });

  it('names a documented problem that was never returned', () => {
    const { failed, complaint } = judge([
      { ...everything, codes: everything.codes.filter((line) => !line.endsWith(' already_live')) },
    ]);
    expect([failed, complaint]).toEqual([1, '    ✗ never seen: goLive 409 already_live']);
  });

  it.each([500, 418])('fails for an undocumented status: %i', (status) => {
    expect(judge([everything, answered('getSandbox', status)])).toMatchObject({
      failed: 1,
      complaint: `    ✗ answered but not documented: getSandbox ${status}`,
    });
  });

  it('ignores clients that disconnected, and requests outside of all operations', () => {
    expect(judge([everything, answered('getSandbox', 499), answered('unmatched', 404)]).failed).toBe(0);
  });

  it('fails without recordings', () => {
    expect(judge([]).complaint).toContain('there are no recordings');
  });
});
