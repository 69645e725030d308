/** Tests of the page about the dialect in which the contract is written. */
import { describe, expect, it } from 'vitest';
import { members } from '../contract/dialect.ts';
import { dialectPage } from './dialect-page.ts';

describe('the page about the dialect', () => {
  const page = dialectPage();

  it('has every member of the table, at each place where it may stand', () => {
    for (const [name, { on }] of members) expect(page.split(`| \`${name}\` |`).length - 1, name).toBe(on.length);
  });

  it('says what make format writes, and because of what', () => {
    expect(page).toContain('| the status 422, `UnprocessableContent` | with `requestBody` |');
    expect(page).toContain('| the parameter `IdempotencyKey` | with `x-idempotent` |');
  });

  it('says what holds where a member is left out, and what its changes mean', () => {
    expect(page).toContain(
      '| `x-human-only` | `true` | `false` | API keys and machine tokens are refused | **non-breaking**: is no ' +
        'longer for people alone; **breaking**: is for people alone now |',
    );
    expect(page).toMatch(/\| `x-rate-limit` \| `default`, `uploads`, .*\| `uploads` where the body is/);
    expect(page).toMatch(
      /\| `x-sdk` \| `resource`: a text; `method`: a text; `aliases`: a list \(each a text, none twice\) \| never \|/,
    );
  });
});
