/** Tests of what the exploration of a process finds, and that it reports nothing about processes that always end. */
import { describe, expect, it } from 'vitest';
import { compiled, flow, flows, processXml } from './testing/driver.ts';
import { draw, randomBlock } from './testing/random-blocks.ts';
import { randomOf } from '../../test/support/random.ts';
import { soundness } from './soundness.ts';

const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
const user = (...ids: string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('');
const found = async (elements: string): Promise<string[]> => {
  const { graph } = await compiled(processXml(elements));
  return soundness(graph.program).map(({ code, elementId, path = [] }) => `${code} ${elementId} [${path.join()}]`);
};

describe('The exploration of a process', () => {
  it('finds a parallel join behind a choice, with the way to it', async () => {
    const elements = `${ENDS}<exclusiveGateway id="g" default="d"/>${user('a', 'b', 'z')}<parallelGateway id="j"/>
      ${flow('d', 'g', 'a')}${flow('c', 'g', 'b', 'x')}${flows('s-g a-j b-j j-z z-e')}`;
    expect(await found(elements)).toEqual([expect.stringMatching(/^deadlock j \[[ab]\]$/)]);
  });

  it('finds an exclusive merge of parallel flows', async () => {
    const elements = `${ENDS}<parallelGateway id="g"/><exclusiveGateway id="m"/>${user('a', 'b', 'z')}
      ${flows('s-g g-a g-b a-m b-m m-z z-e')}`;
    expect(await found(elements)).toEqual([expect.stringMatching(/^double_token z /)]);
  });

  it('finds a choice of which no flow may be taken', async () => {
    const elements = `${ENDS}<exclusiveGateway id="g"/>${user('a', 'b')}${flow('f', 'g', 'a', 'x')}
      ${flow('h', 'g', 'b', 'y')}${flows('s-g a-e b-e')}`;
    expect(await found(elements)).toEqual(['no_flow g []']);
  });

  it('finds a loop without a way out', async () => {
    expect(await found(`${ENDS}${user('a', 'b')}${flows('s-a a-b b-a')}`)).toEqual(['no_way_to_end P []']);
  });

  it('finds a loop that waits nowhere', async () => {
    const elements = `${ENDS}<exclusiveGateway id="m"/><exclusiveGateway id="k" default="f"/>${flow('f', 'k', 'm')}
      ${flow('o', 'k', 'e', 'out')}${flows('s-m m-k')}`;
    expect(await found(elements)).toEqual([expect.stringMatching(/^endless_loop [mk] /)]);
  });

  it('says that nothing is proven if there are too many states', async () => {
    const { graph } = await compiled(processXml(`${ENDS}${user('a')}${flows('s-a a-e')}`));
    let time = 0;
    const findings = soundness(graph.program, () => (time += 2000));
    expect(findings.map(({ severity, code }) => [severity, code])).toEqual([['warning', 'not_proven']]);
  });

  it('finds nothing in thirty random models of nested blocks, which always end', async () => {
    const random = randomOf(7);
    for (let model = 0; model < 30; model++) {
      const { xml, first, last } = draw(randomBlock(random));
      const findings = await found(`${ENDS}${xml}${flows(`s-${first} ${last}-e`)}`);
      expect(findings.filter((one) => !one.startsWith('not_proven'))).toEqual([]);
    }
  });
});
