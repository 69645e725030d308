/** Moves instances of random models to a version with other ids, and compares them with those that stayed. */
import { describe, expect, it } from 'vitest';
import { randomOf } from '../../test/support/random.ts';
import { migrated } from './migration.ts';
import { compiled, EPOCH, flows, Instance, processXml } from './testing/driver.ts';
import { choicesOf, draw, randomBlock } from './testing/random-blocks.ts';

const MODELS = process.env['SOAK'] === 'true' ? 1000 : 50;
const MOST_STEPS = 60;
const SEED = 20261127;

/** Returns the same file with other ids for everything but the process. */
const renamed = (file: string): string =>
  file.replace(
    /\b(id|sourceRef|targetRef|attachedToRef|default)="(?!P")([^"]+)"/g,
    (_, name: string, id: string) => `${name}="v_${id}"`,
  );

const elementsOf = (instance: Instance): string[] => instance.waiting.split(' ').filter((one) => one !== '');

describe('A migration', () => {
  it(`in the middle of ${MODELS} random models loses no token and makes none`, async () => {
    const random = randomOf(SEED);
    let [moved, steps] = [0, 0];
    for (let model = 0; model < MODELS; model++) {
      const block = randomBlock(random);
      const { xml, first, last } = draw(block);
      const file = processXml(`<startEvent id="s"/><endEvent id="e"/>${xml}${flows(`s-${first} ${last}-e`)}`);
      const [{ graph: from }, { graph: to }] = [await compiled(file), await compiled(renamed(file))];
      const ids = new Map([...from.program.nodes, ...from.program.flows].map(({ id }) => [id, `v_${id}`]));
      const chosen = () => Object.fromEntries(choicesOf(block).map((name) => [name, random() < 0.4]));
      const staying = new Instance(from, chosen());
      const before = Math.floor(random() * 6);
      let leaving: Instance | null = null;
      for (let step = 0; step < MOST_STEPS && staying.state.status === 'active'; step++) {
        if (step === before) {
          const after = migrated({ from, to, ids }, { state: staying.state, variables: staying.variables }, EPOCH);
          if ('faults' in after) throw new Error(JSON.stringify(after.faults));
          leaving = Instance.from(to, { state: after.state, variables: staying.variables });
          moved += 1;
        }
        const possible = elementsOf(staying);
        const next = possible[Math.floor(random() * possible.length)]!;
        const variables = chosen();
        staying.do({ do: 'set_variables', variables }).complete(next);
        leaving?.do({ do: 'set_variables', variables }).complete(`v_${next}`);
        if (leaving !== null) expect(elementsOf(leaving)).toEqual(elementsOf(staying).map((id) => `v_${id}`));
        steps += 1;
      }
      if (leaving !== null) expect(leaving.state.status).toBe(staying.state.status);
    }
    expect(moved).toBeGreaterThan(MODELS / 3);
    expect(steps).toBeGreaterThan(MODELS);
  });
});
