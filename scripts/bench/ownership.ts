/**
 * What the answers about owners and powers cost: graphs of 500 parties and 2,000 holdings with and without loops, how
 * often an exact solution is needed, how the cost grows, and the worst graphs and formulas that were found. Used by
 * main.ts.
 */
import { randomOf } from '../../test/support/random.ts';
import { assessOwnership, type OwnershipAssessment } from '../../server/ownership/assess.ts';
import { ExactSystem, TooIntricate } from '../../server/ownership/exact.ts';
import type { OwnershipGraph } from '../../server/ownership/graph.ts';
import { HOSTILE, largeGraph, type Shape, SHAPE_NAMES } from '../../server/ownership/testing/large-graphs.ts';
import { randomGraph } from '../../server/ownership/testing/random-graphs.ts';
import { evaluateSigning } from '../../server/powers/evaluate.ts';
import { HOSTILE_FORMULAS } from '../../server/powers/testing/hostile-formulas.ts';
import { alternate, amount, median, ratio, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

const PARTIES = 500;
const ROUNDS = 5;
const DAY = '2026-11-20';
const THRESHOLD = { millionths: 25_000_000, comparator: 'gte' } as const;

interface Cost {
  readonly milliseconds: number;
  /** Exact solutions that were needed to decide and to round. */
  readonly exact: number;
  /** Whether the engine has given up, because an exact solution would take too long. */
  readonly isRefused: boolean;
}

/** Decides and rounds everything that an answer shows, as the service does. */
function shown({ persons, terminals, unnamedPersonWorstCase }: OwnershipAssessment): number {
  const amounts = [
    ...persons.flatMap(({ economic, voting, control, controlWorstCase }) => [
      economic.known,
      economic.worstCase,
      voting,
      control,
      controlWorstCase,
    ]),
    ...terminals.map(({ interest }) => interest),
    unnamedPersonWorstCase,
  ];
  return amounts.reduce((sum, one) => sum + one.millionths(), 0);
}

/** Returns what the answer about a graph costs in processor time of this thread. */
function costOf(graph: OwnershipGraph): Cost {
  const solve = ExactSystem.prototype.solve;
  let [exact, isRefused] = [0, false];
  ExactSystem.prototype.solve = function (...given) {
    exact++;
    return solve.apply(this, given);
  };
  const before = process.threadCpuUsage();
  try {
    shown(assessOwnership(graph, DAY, THRESHOLD));
  } catch (error) {
    if (!(error instanceof TooIntricate)) throw error;
    isRefused = true;
  } finally {
    ExactSystem.prototype.solve = solve;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { milliseconds: (user + system) / 1000, exact, isRefused };
}

const middle = (costs: readonly Cost[]): number => median(costs.map(({ milliseconds }) => milliseconds));

async function shapes(shape: Shape): Promise<{ rows: Row[]; raw: unknown }> {
  const graphs = {
    without: largeGraph(shape, PARTIES, false),
    with: largeGraph(shape, PARTIES, true),
    half: largeGraph(shape, PARTIES / 2, true),
  };
  const costs = await alternate(ROUNDS, {
    without: () => costOf(graphs.without),
    with: () => costOf(graphs.with),
    half: () => costOf(graphs.half),
  });
  const time = ({ milliseconds }: Cost): number => milliseconds;
  const exact = Math.max(...costs.with.map((one) => one.exact));
  return {
    raw: costs,
    rows: [
      [`${shape}, without loops`, amount(middle(costs.without), 'ms')],
      [`${shape}, with loops`, amount(middle(costs.with), 'ms')],
      [`${shape}, with loops: exact solutions`, amount(exact, 'solutions')],
      [`${shape}, with loops ÷ without`, ratio(costs.with, costs.without, time), '≤ 5'],
      [`${shape}, ${PARTIES} parties ÷ ${PARTIES / 2}`, ratio(costs.with, costs.half, time), '≤ 8'],
    ],
  };
}

function hostile(): { rows: Row[]; raw: unknown } {
  const measured = Object.entries(HOSTILE).map(([name, graphOf]) => {
    const [half, full] = [costOf(graphOf(PARTIES / 2)), costOf(graphOf(PARTIES))];
    return { name, half, full };
  });
  return {
    raw: measured,
    rows: measured.map(({ name, half, full }): Row => {
      const said = ({ milliseconds, exact, isRefused }: Cost): string =>
        `${milliseconds.toFixed(0)} ms, ${exact} exact${isRefused ? ', refused' : ''}`;
      const text = `${said(full)} (of half the size: ${said(half)})`;
      return [name, { value: full.milliseconds, text }, '≤ 1500 ms'];
    }),
  };
}

function formulas(): { rows: Row[]; raw: unknown } {
  const measured = Object.entries(HOSTILE_FORMULAS).map(([name, make]) => {
    const { file, act, signers } = make();
    const before = process.threadCpuUsage();
    evaluateSigning(file, act, signers);
    const { user, system } = process.threadCpuUsage(before);
    return { name, milliseconds: (user + system) / 1000 };
  });
  return {
    raw: measured,
    rows: measured.map(({ name, milliseconds }): Row => [name, amount(milliseconds, 'ms'), '≤ 10000 ms']),
  };
}

export async function measureOwnership({ extent, say }: Laboratory): Promise<Section[]> {
  say('owners: large graphs …');
  const large = [];
  for (const shape of SHAPE_NAMES) large.push(await shapes(shape));
  say('owners: random graphs …');
  const count = extent.graphs;
  const random = Array.from({ length: count }, (_, index) => costOf(randomGraph(randomOf(index + 1))));
  const needing = random.filter(({ exact }) => exact > 0).length;
  say('owners and powers: hostile graphs and formulas …');
  const [graphs, powers] = [hostile(), formulas()];
  return [
    {
      title: `Owners: ${PARTIES} parties and 2,000 holdings (processor time)`,
      raw: large.map(({ raw }) => raw),
      rows: large.flatMap(({ rows }) => rows),
    },
    {
      title: `Owners: ${count} random graphs of up to nine parties`,
      raw: { count, needing },
      rows: [
        ['graphs that need an exact solution', amount((100 * needing) / count, '%')],
        ['mean cost of a graph', amount(random.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / count, 'ms')],
      ],
    },
    { title: `Owners: the worst graphs of ${PARTIES} parties that were found`, ...graphs },
    { title: 'Powers: the worst formulas that were found', ...powers },
  ];
}
