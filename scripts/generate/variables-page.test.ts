/** Tests of the page about environment variables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../../server/base/config-variables.ts';
import { variablesPage } from './variables-page.ts';

const GUIDES = join(import.meta.dirname, '../../docs/guides');

describe('the page about environment variables', () => {
  const page = variablesPage();

  it('has a row for every variable, with its meaning, allowed values and default', () => {
    for (const name of Object.keys(VARIABLES)) expect(page.split(`\n| \`${name}\` |`).length - 1, name).toBe(1);
    expect(page).toContain(
      '| `DATABASE_POOL_SIZE` | connections of the request pool | an integer from 1 to 200 | `10` |',
    );
    expect(page).toContain('| one of trace, debug, info, warn, error, fatal, silent | `info` |');
  });

  it('leaves the default empty if there is none', () => {
    expect(page).toMatch(/^\| `SERVICE_SECRET` \| .* \| 32 to 1024 characters \|  \|$/m);
  });

  it('defines every variable that the guide for operators names', () => {
    const guide = readFileSync(join(GUIDES, 'operators.md'), 'utf8');
    const named = new Set([...guide.matchAll(/`([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name));
    expect(named).toContain('DATABASE_URL');
    expect([...named].filter((name) => name === undefined || !(name in VARIABLES))).toEqual([]);
  });
});
