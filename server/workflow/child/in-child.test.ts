/** Tests of the limits within which files are read and expressions are evaluated beside the requests. */
import { describe, expect, it } from 'vitest';
import { compiled, EPOCH, flow, flows, processXml } from '../testing/driver.ts';
import { inChild } from './in-child.ts';

const AT = EPOCH.toISOString();

/** Starts an instance that evaluates a condition at once. */
async function evaluated(condition: string) {
  const elements = `<startEvent id="s"/><endEvent id="e"/><endEvent id="yes"/><exclusiveGateway id="g" default="d"/>
    ${flow('d', 'g', 'e')}${flow('c', 'g', 'yes', condition)}${flows('s-g')}`;
  const { program } = (await compiled(processXml(elements))).graph;
  const command = { do: 'start', process: 'P', variables: { x: 7 } } as const;
  return inChild({
    do: 'step',
    program,
    before: null,
    command,
    at: AT,
  });
}

describe('A child process', () => {
  it('reads a file, and finds what is wrong in it', async () => {
    const file = new TextEncoder().encode(processXml('<startEvent id="s"/><task id="a"/>'));
    const answer = await inChild({ do: 'read', file });
    expect(answer).toMatchObject({
      did: 'read',
      findings: [{ code: 'no_end' }, { code: 'unreachable', elementId: 'a' }],
    });
  });

  it('computes a step with its expressions', async () => {
    expect(await evaluated('x > 5')).toMatchObject({ did: 'step', step: { state: { endEvent: 'yes' } } });
  });

  it.each([
    ['counts to a milliard', 'count(for i in 1..1000000000 return i) = 1'],
    ['fills the memory', 'string length(string join(for i in 1..3000000 return "xxxxxxxxxxxxxxxxxxxxxxxx")) = 1'],
  ])('that %s is stopped, and the next order is carried out', async (_, condition) => {
    expect(await evaluated(condition)).toBe('exceeded');
    expect(await evaluated('x > 5')).toMatchObject({ did: 'step' });
  });
});
