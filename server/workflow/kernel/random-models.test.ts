/** Compares the kernel with a second reading of random models, which knows neither gateways nor tokens. */
import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/support/random.ts';
import { compiled, flows, Instance, processXml } from '../testing/driver.ts';
import { begin, choicesOf, draw, finish, open, randomBlock, timersOf } from '../testing/random-blocks.ts';

const MODELS = process.env['SOAK'] === 'true' ? 10_000 : 300;
const MOST_STEPS = 200;
const SEED = 20261126;

describe('The kernel', () => {
  it(`has the tasks open that the blocks of ${MODELS} random models have open, after every step`, async () => {
    const random = randomOf(SEED);
    let [steps, ended] = [0, 0];
    for (let model = 0; model < MODELS; model++) {
      const block = randomBlock(random);
      const { xml, first, last } = draw(block);
      const file = processXml(`<startEvent id="s"/><endEvent id="e"/>${xml}${flows(`s-${first} ${last}-e`)}`);
      const { graph, findings } = await compiled(file);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      const chosen = () => Object.fromEntries(choicesOf(block).map((name) => [name, random() < 0.4]));
      let variables = chosen();
      const live = begin(block, variables);
      const instance = new Instance(graph, variables);
      for (let step = 0; step < MOST_STEPS && !live.done; step++) {
        expect(instance.waiting.split(' ').filter((one) => one !== '')).toEqual(open(live));
        const possible = [...open(live), ...timersOf(live)];
        const next = possible[Math.floor(random() * possible.length)]!;
        variables = chosen();
        expect(finish(live, next, variables)).toBe(true);
        instance.do({ do: 'set_variables', variables });
        if (next.endsWith('_t')) instance.fire(next);
        else instance.complete(next);
        steps += 1;
      }
      expect([instance.state.status === 'ended', instance.incidents]).toEqual([live.done, '']);
      if (live.done) ended += 1;
      else expect(instance.waiting.split(' ')).toEqual(open(live));
    }
    expect(steps).toBeGreaterThan(MODELS * 3);
    expect(ended).toBeGreaterThan(MODELS * 0.9);
  });
});
