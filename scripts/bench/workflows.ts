/**
 * What processes cost: the steps of the engine, expressions, models that are checked, and hostile uploads with those
 * who call meanwhile. Used by main.ts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../server/workflow/bpmn/compile.ts';
import { read } from '../../server/workflow/bpmn/read.ts';
import { inChild } from '../../server/workflow/child/in-child.ts';
import { evaluateFeel } from '../../server/workflow/feel/evaluate.ts';
import { start, step, type Step } from '../../server/workflow/kernel/step.ts';
import { soundness } from '../../server/workflow/soundness.ts';
import { compiled, environmentAt, EPOCH, flows, processXml } from '../../server/workflow/testing/driver.ts';
import { FILES } from '../../server/workflow/testing/hostile.ts';
import { spent } from '../../test/support/processor-time.ts';
import { amount, cpuPerCall, median, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import type { Timed } from './service.ts';
import { ROOT } from './validation.ts';
import { measureSteps } from './workflow-steps.ts';
import { measureTimers } from './workflow-timers.ts';

/** Folder of models that are read and checked, beside the project. */
const MODELS = process.env['BPMN_MODELS'] ?? join(ROOT, '../shared/data/bpmn');
const PAIRS = 5;
/** Share of what the service can serve that others ask for beside the uploads. */
const LOAD = 0.3;
const TENS = 10;

export async function measureWorkflows(laboratory: Laboratory): Promise<Section[]> {
  return [
    await engine(laboratory),
    await measureSteps(laboratory),
    await measureTimers(laboratory),
    await models(laboratory),
    await uploads(laboratory),
  ];
}

const KERNEL = processXml(
  `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><exclusiveGateway id="x"/>
    <userTask id="c"/><parallelGateway id="j"/><userTask id="d"/><endEvent id="e"/>
    ${flows('s-f f-a f-b a-x x-c c-j b-j j-d d-e')}`,
);

async function engine({ extent, say }: Laboratory): Promise<Section> {
  say('workflows: the engine …');
  const { graph } = await compiled(KERNEL);
  const environment = environmentAt(EPOCH);
  const begun = start(graph, { process: 'P', variables: { amount: 5 } }, environment);
  const text = JSON.stringify({ state: begun.state, variables: begun.variables });
  const { id: execution } = begun.state.executions.find(({ node }) => node === 'a')!;
  // As for a row of the database: the state is read, changed and written.
  const one = (): string => {
    const before = JSON.parse(text) as Pick<Step, 'state' | 'variables'>;
    return JSON.stringify(step(graph, before, { do: 'complete', execution, variables: {} }, environment).state);
  };
  const expression = 'amount > 3 and level = "high" or count(list) > 2';
  const variables = { amount: 5, level: 'low', list: [1, 2, 3] };
  const feel = (): unknown => evaluateFeel(expression, variables, EPOCH);
  await cpuPerCall(extent.validations, () => null, one);
  await cpuPerCall(extent.validations / TENS, () => null, feel);
  const [steps, evaluations]: [number[], number[]] = [[], []];
  for (let round = 0; round < extent.rounds; round++) {
    steps.push(await cpuPerCall(extent.validations, () => null, one));
    evaluations.push(await cpuPerCall(extent.validations / TENS, () => null, feel));
  }
  const branches = Array.from({ length: TENS }, (_, at) => `t${at}`);
  const wide = processXml(
    `<startEvent id="s"/><parallelGateway id="f"/>${branches.map((id) => `<userTask id="${id}"/>`).join('')}
      <parallelGateway id="j"/><endEvent id="e"/>
      ${flows(`s-f ${branches.map((id) => `f-${id} ${id}-j`).join(' ')} j-e`)}`,
  );
  const tokens = start((await compiled(wide)).graph, { process: 'P', variables: {} }, environment).state;
  return {
    title: 'Workflows: processor time of the engine',
    raw: { steps, evaluations },
    rows: [
      ['a step without an expression, its state read and written', amount(median(steps), 'µs'), '≤ 20 µs'],
      ['an expression from the cache', amount(median(evaluations), 'µs'), '≤ 50 µs'],
      [`the state of ${TENS} tokens`, amount(JSON.stringify(tokens).length, 'bytes'), '≤ 1024 bytes'],
    ],
  };
}

async function models({ say }: Laboratory): Promise<Section> {
  const found = existsSync(MODELS) ? globSync('**/*.bpmn', { cwd: MODELS }).sort() : [];
  const files = [
    ...globSync('docs/examples/workflows/*.bpmn', { cwd: ROOT }).map((path) => join(ROOT, path)),
    ...found.map((path) => join(MODELS, path)),
  ];
  if (found.length === 0) say(`workflows: there are no models in ${MODELS}, only those of the project are read`);
  let unread = 0;
  const [compiling, proving]: [number[], number[]] = [[], []];
  for (const file of files) {
    const bytes = readFileSync(file);
    let reading = await read(bytes);
    if (reading.root === null) {
      unread++;
      continue;
    }
    compiling.push(
      await spent(async () => {
        reading = await read(bytes);
        compile(reading.root!);
      }),
    );
    const { program, findings } = compile(reading.root);
    // What is wrong in its structure is not explored.
    if (findings.every(({ severity }) => severity !== 'error')) proving.push(await spent(() => soundness(program)));
  }
  return {
    title:
      `Workflows: ${files.length} models are read, compiled and proved sound, ${found.length} of them from beside ` +
      'the project: processor time for each',
    raw: { compiling, proving },
    rows: [
      ['not read', amount(unread, '', String(unread)), '≤ 0'],
      ['reading and compiling, median', amount(median(compiling), 'ms')],
      ['reading and compiling, the most', amount(Math.max(...compiling), 'ms')],
      [`soundness of ${proving.length}, the most`, amount(Math.max(...proving), 'ms'), '≤ 200 ms'],
    ],
  };
}

async function uploads({
  callers,
  startService,
  contender,
  extent: { secondsPerTurn, rounds },
  say,
}: Laboratory): Promise<Section> {
  say(`workflows: ${FILES.length} hostile files …`);
  const encoded = FILES.map(([, text]) => new TextEncoder().encode(text));
  let stopped = 0;
  const work: number[] = [];
  for (const file of encoded) {
    if ((await inChild({ do: 'read', file })) === 'exceeded') stopped++;
    // The rest is done again here, where its processor time can be read.
    else work.push(await spent(async () => checked(file)));
  }

  await using service = await startService({ RATE_LIMIT_REQUESTS: '1000000', RATE_LIMIT_UPLOADS: '1000000' });
  const [caller, attacker] = [callers[0]!, callers[1]!];
  const officer = await attacker.user('compliance_officer');
  const answer = await fetch(`${service.url}/v1/applications`, {
    method: 'POST',
    headers: { ...caller.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purpose: 'other', applicant: { fullName: 'Bruno Lima' } }),
  });
  const { id } = (await answer.json()) as { readonly id: string };
  const reads = [{ method: 'GET', path: `/v1/applications/${id}`, headers: caller.apiKey }] as const;
  const seconds = secondsPerTurn * 2;
  const most = contender(service, { requests: reads, expectedStatus: 200 });
  await most(seconds);
  const { perSecond } = await most(seconds);
  const calm = contender(service, { requests: reads, expectedStatus: 200, perSecond: perSecond * LOAD });
  await calm(seconds);

  let [next, failed, sent] = [0, 0, 0];
  const upload = async (): Promise<void> => {
    const body = new FormData();
    body.set('file', new Blob([encoded[next++ % encoded.length]!]));
    const { status } = await fetch(`${service.url}/v1/workflows/definitions`, {
      method: 'POST',
      headers: officer,
      body,
    });
    sent++;
    if (status >= 500) failed++;
  };
  const [alone, beside]: [Timed[], Timed[]] = [[], []];
  for (let pair = 1; pair <= Math.min(rounds, PAIRS); pair++) {
    say(`workflows: hostile uploads, pair ${pair} …`);
    alone.push(await calm(seconds));
    let isOver = false;
    const attack = (async () => {
      while (!isOver) await upload();
    })();
    beside.push(await calm(seconds));
    isOver = true;
    await attack;
  }
  const ratios = beside.map(({ p99Milliseconds }, pair) => p99Milliseconds / alone[pair]!.p99Milliseconds);
  const slowest = (turns: readonly Timed[]) => amount(median(turns.map((turn) => turn.p99Milliseconds)), 'ms');
  return {
    title:
      `Workflows: ${FILES.length} hostile files, and reads at ${(perSecond * LOAD).toFixed(0)} per second beside ` +
      `${sent} uploads of them`,
    raw: {
      work,
      stopped,
      perSecond,
      alone,
      beside,
    },
    rows: [
      ['stopped by their child process at 300 ms of processor time', amount(stopped, '', String(stopped))],
      ['the others, the most', amount(Math.max(...work), 'ms'), '≤ 300 ms'],
      ['uploads that failed with 5xx', amount(failed, '', String(failed)), '≤ 0'],
      ['alone: 99 of 100', slowest(alone)],
      ['beside the uploads: 99 of 100', slowest(beside)],
      ['slowest hundredth beside the uploads, in those alone', amount(median(ratios), '×'), '≤ 1.5 ×'],
    ],
  };
}

async function checked(file: Uint8Array): Promise<void> {
  const { root, findings } = await read(file);
  if (root === null) return;
  const { program, findings: more } = compile(root);
  if ([...findings, ...more].every(({ severity }) => severity !== 'error')) soundness(program);
}
