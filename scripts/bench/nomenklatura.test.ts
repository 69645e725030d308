/** Tests of reading what nomenklatura answers, and of the message if it cannot be installed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, installed, type Order, readAnswer } from './nomenklatura.ts';

const ORDER = {
  pairs: { rounds: 2, matchers: ['logic-v2', 'ofac'], pairs: [['Person', 'A', 'B']] },
  search: {
    entries: 'entries.jsonl',
    queries: ['A', 'B'],
    matchers: { 'logic-v2': 0.7, 'name-based': 0.7, 'ofac': 0.7 },
  },
} satisfies Order;
const OF_PAIRS = { scores: [0.5], microseconds: { first: [9, 8], again: [3, 2] } };
const OF_SEARCH = { found: [[1], []], microseconds: 40 };
const ANSWER: Answer = {
  version: '1.2.3',
  pairs: { 'logic-v2': OF_PAIRS, 'name-based': OF_PAIRS, 'ofac': OF_PAIRS },
  search: {
    builtSeconds: 1,
    blockingMicroseconds: 2,
    oneByOneMicroseconds: 3,
    candidates: 4,
    matchers: { 'logic-v2': OF_SEARCH, 'name-based': OF_SEARCH, 'ofac': OF_SEARCH },
    peakMegabytes: 5,
  },
};
const read = (answer: object) => readAnswer(JSON.stringify(answer), ORDER);

describe('an answer of nomenklatura', () => {
  it('is read if it has a figure for everything that was asked', () => {
    expect(read(ANSWER)).toEqual(ANSWER);
    expect(readAnswer(JSON.stringify({ ...ANSWER, pairs: null, search: null }), {})).toMatchObject({ pairs: null });
  });

  it.each([
    ['a matcher', { pairs: { 'logic-v2': OF_PAIRS } }, '0 scores of ofac instead of 1'],
    ['a score', { pairs: { 'logic-v2': { ...OF_PAIRS, scores: [] } } }, '0 scores of logic-v2 instead of 1'],
    ['a number', { pairs: { 'logic-v2': { ...OF_PAIRS, scores: [null] } } }, '0 scores of logic-v2 instead of 1'],
    [
      'a round',
      { pairs: { 'logic-v2': { ...OF_PAIRS, microseconds: { first: [1, 2], again: [1] } } } },
      '1 second rounds of logic-v2 instead of 2',
    ],
    [
      'a search',
      { search: { matchers: { 'logic-v2': { ...OF_SEARCH, found: [[1]] } } } },
      '1 searches of logic-v2 instead of 2',
    ],
  ])('is rejected if it lacks %s', (_, changed, message) => {
    expect(() => read({ ...ANSWER, ...changed })).toThrow(message);
  });
});

describe('nomenklatura', () => {
  it('is not installed twice, and fails by its name where it cannot be installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomenklatura-'));
    const list = join(folder, 'list.txt');
    writeFileSync(list, 'nomenklatura==1');
    await expect(installed(join(folder, 'new'), join(folder, 'no-python'), list)).rejects.toThrow(
      'nomenklatura cannot be installed, so nothing can be compared with it',
    );
    writeFileSync(join(folder, 'installed.txt'), 'nomenklatura==1');
    expect(await installed(folder, join(folder, 'no-python'), list)).toBe(join(folder, 'bin/python'));
    rmSync(folder, { recursive: true });
  });
});
