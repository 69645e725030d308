/** Tests of what the exploration of a process finds, and that it reports nothing about processes that always end. */
import { describe, expect, it } from 'vitest';
import { compiled, flow, flows, processXml } from './testing/driver.ts';
import { draw, type Drawn, randomBlock } from './testing/random-blocks.ts';
import { randomOf } from '../../test/support/random.ts';
import { soundness } from './soundness.ts';

const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
const user = (...ids: string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('');
/** Returns a change of one place of a model, drawn from those that match; null if none does. */
const replacing =
  (pattern: RegExp, by: string) =>
  ({ xml }: Drawn, random: () => number): string | null => {
    const places = [...xml.matchAll(pattern)].map(([place]) => place);
    const place = places[Math.floor(random() * places.length)];
    return place === undefined ? null : xml.replace(place, place.replace(new RegExp(pattern.source), by));
  };
/**
 * Faults that are put into models. Two tokens harm nobody where a process or a part of it ends, so one is at the end.
 */
const FAULTS: readonly (readonly [string, ReturnType<typeof replacing>])[] = [
  [
    'the last parallel join became exclusive',
    ({ xml, last }) => {
      const join = `<parallelGateway id="${last}"/>`;
      return xml.includes(join) ? xml.replace(join, `<exclusiveGateway id="${last}"/>`) : null;
    },
  ],
  [
    'an exclusive merge became parallel',
    replacing(/<exclusiveGateway id="(n\d+_end)"\/>/g, '<parallelGateway id="$1"/>'),
  ],
  [
    'an inclusive merge became parallel',
    replacing(/<inclusiveGateway id="(n\d+_end)"\/>/g, '<parallelGateway id="$1"/>'),
  ],
  [
    'a parallel fork became exclusive',
    replacing(/<parallelGateway id="(n\d+_begin)"\/>/g, '<exclusiveGateway id="$1"/>'),
  ],
  ['a loop lost its way out', replacing(/<sequenceFlow id="n\d+_out"[^>]*\/>/g, '')],
];
const FAULTY_MODELS = process.env['SOAK'] === 'true' ? 200 : 40;
/** Processes that people draw have fewer elements than this. */
const MOST_ELEMENTS = 60;

const found = async (elements: string, now?: () => number): Promise<string[]> => {
  const { graph } = await compiled(processXml(elements));
  return soundness(graph.program, now).map(({ code, elementId, path = [] }) => `${code} ${elementId} [${path.join()}]`);
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

  it(
    `finds a fault in each of ${FAULTY_MODELS} random models into which one was put`,
    async () => {
      const random = randomOf(20261127);
      const missed: string[] = [];
      for (let model = 0; model < FAULTY_MODELS; model++) {
        const [fault, damage] = FAULTS[model % FAULTS.length]!;
        let xml: string | null = null;
        while (xml === null) {
          const drawn = draw(randomBlock(random));
          const damaged = damage(drawn, random);
          if (damaged !== null && (drawn.xml.match(/ id="n/g) ?? []).length <= MOST_ELEMENTS)
            xml = `${ENDS}${user('z')}${damaged}${flows(`s-${drawn.first} ${drawn.last}-z z-e`)}`;
        }
        // Time stands still, so that the bound is the number of states and not the speed of the machine.
        const findings = await found(xml, () => 0);
        if (!findings.some((one) => !one.startsWith('not_proven')))
          missed.push(`${model}: ${fault} ${findings.join()}`);
      }
      expect(missed).toEqual([]);
    },
    FAULTY_MODELS * 2_000,
  );

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
