/**
 * Test of a hundred and fifty hostile files and expressions: each is answered or stopped with its child process,
 * nothing of the service is reached, and the next order is carried out.
 */
import { describe, expect, it } from 'vitest';
import { compiled, EPOCH, flow, flows, processXml } from '../testing/driver.ts';
import { ENDS, EXPRESSIONS, FILES } from '../testing/hostile.ts';
import { inChild } from './in-child.ts';

const AT = EPOCH.toISOString();

const evaluated = async (condition: string) => {
  const elements = `${ENDS}<endEvent id="yes"/><exclusiveGateway id="g" default="d"/>
    ${flow('d', 'g', 'e')}${flow('c', 'g', 'yes', condition)}${flows('s-g')}`;
  const { program } = (await compiled(processXml(elements))).graph;
  const command = { do: 'start', process: 'P', variables: { a: {} } } as const;
  return inChild({
    do: 'step',
    program,
    before: null,
    command,
    at: AT,
  });
};

describe('A hostile file', () => {
  it.each(FILES)('with %s is refused, found to be wrong, or stopped', async (_, text) => {
    const answer = await inChild({ do: 'read', file: new TextEncoder().encode(text) });
    if (answer === 'exceeded') return expect(answer).toBe('exceeded');
    expect(answer).toMatchObject({ did: expect.stringMatching(/^read/), findings: expect.any(Array) });
    expect(JSON.stringify(answer)).not.toMatch(/root:|hahaha/);
  });
});

describe('A hostile expression', () => {
  it.each(EXPRESSIONS)('is false, an incident, or stopped: %.60s', async (condition) => {
    const answer = await evaluated(condition);
    if (answer === 'exceeded') return expect(answer).toBe('exceeded');
    expect(answer).toMatchObject({ did: 'step' });
    expect(JSON.stringify(answer)).not.toContain('"endEvent":"yes"');
  });

  it('harms nothing: the next order is carried out', async () => {
    expect(await evaluated('1 < 2')).toMatchObject({ did: 'step', step: { state: { endEvent: 'yes' } } });
    expect(FILES.length + EXPRESSIONS.length).toBeGreaterThanOrEqual(150);
  });
});
