/**
 * Measures the processor time and the memory of a whole case, without the service: a document is read, its portrait is
 * compared with a selfie, and the twelve frames of a challenge are read. Used by main.ts. It measures nothing without
 * the packages of the readers and the specimens beside the project.
 *
 * The project has no picture of a face, so selfie and frames are the portrait of a specimen, enlarged. Both readers run
 * in processes of their own, as in the service: this file is their program (`npx node scripts/bench/whole-case.ts
 * document|faces`).
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { facesIn } from '../../server/verification/faces/identity.ts';
import { compare, type FaceModels, readFrames } from '../../server/verification/faces/read-faces.ts';
import { cut } from '../../server/verification/faces/squares.ts';
import { Tensors } from '../../server/verification/faces/tensors.ts';
import { loadDecoder } from '../../server/verification/reader/decoder.ts';
import { loadModels } from '../../server/verification/reader/models.ts';
import { decode } from '../../server/verification/reader/picture.ts';
import { readPicture } from '../../server/verification/reader/read-picture.ts';
import { areModelsIn } from '../../server/verification/reader/readers.ts';
import { png } from '../../test/support/specimens/png.ts';
import { amount, median, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

const SPECIMEN = new URL('../../../shared/data/documents/mrz/pe-100_pass-bdr.jpg', import.meta.url);
const MODELS = fileURLToPath(new URL('../../build/verification', import.meta.url));
const TODAY = '2026-11-20';
const FRAMES = 12;
/** Pixels of a side of a selfie and of a frame, about as many as the page sends. */
const FRAME = 800;
/** Part of a picture around a face, as a person holds a phone. */
const AROUND_FACE = 1.8;
/** The first round warms the code up; the others are measured. */
const ROUNDS = 4;

interface Measured {
  /** Milliseconds of the processor: for loading, and, of each part of the case, the median round. */
  readonly loading: number;
  readonly parts: Readonly<Record<string, number>>;
  /** The most memory that the process had, in MiB. */
  readonly peak: number;
}

const spent = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

async function measured(loading: number, parts: Readonly<Record<string, () => Promise<unknown>>>): Promise<Measured> {
  const times: Record<string, number> = {};
  for (const [name, run] of Object.entries(parts)) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      await run();
      rounds.push(spent(before));
    }
    times[name] = median(rounds.slice(1));
  }
  return { loading, parts: times, peak: process.resourceUsage().maxRSS / 1_024 };
}

async function measureDocument(): Promise<Measured> {
  const bytes = readFileSync(SPECIMEN);
  const before = process.cpuUsage();
  const models = await loadModels(MODELS);
  return measured(spent(before), { document: () => readPicture(models, { bytes, page: null }, TODAY) });
}

/** Cuts the portrait out of a specimen, as large as a selfie, in grey. */
async function portraitOf(models: FaceModels, bytes: Uint8Array): Promise<Uint8Array> {
  const picture = await decode(models.decoder, bytes);
  const [face] = await facesIn(models.identity(), picture);
  if (face === undefined) throw new Error('The specimen shows no face');
  const side = AROUND_FACE * Math.max(face.width, face.height);
  const { values } = cut(picture, { x: face.x, y: face.y, side }, FRAME);
  const rows = Buffer.alloc(FRAME * (1 + FRAME));
  for (let at = 0; at < FRAME * FRAME; at++) rows[at + Math.floor(at / FRAME) + 1] = values[3 * at + 1]!;
  return png({ width: FRAME, height: FRAME, pixels: [deflateSync(rows)] });
}

async function measureFaces(): Promise<Measured> {
  const bytes = readFileSync(SPECIMEN);
  const before = process.cpuUsage();
  const tensors = await Tensors.load(MODELS);
  const [identity, pose] = [tensors.identityNets(), tensors.poseNets()];
  const loading = spent(before);
  const models: FaceModels = { decoder: { decode: loadDecoder(MODELS) }, identity: () => identity, pose: () => pose };
  const selfie = await portraitOf(models, bytes);
  return measured(loading, {
    comparison: () => compare(models, { sides: [bytes], selfie }),
    frames: () =>
      readFrames(
        models,
        Array.from({ length: FRAMES }, () => selfie),
      ),
  });
}

const PROGRAMS = { document: measureDocument, faces: measureFaces };

export async function measureWholeCase({ say }: Pick<Laboratory, 'say'>): Promise<Section[]> {
  if (!areModelsIn(MODELS) || !existsSync(SPECIMEN)) return [];
  say('a whole case: a document, a selfie and twelve frames …');
  const run = async (name: keyof typeof PROGRAMS): Promise<Measured> => {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), name]);
    return JSON.parse(stdout) as Measured;
  };
  const [document, faces] = [await run('document'), await run('faces')];
  const parts = { ...document.parts, ...faces.parts };
  const whole = Object.values(parts).reduce((sum, milliseconds) => sum + milliseconds, 0);
  return [
    {
      title: 'Verifications: a whole case',
      rows: [
        ['processor time of the document', amount(parts['document'] ?? Number.NaN, 'ms')],
        ['… of the comparison of its portrait with a selfie', amount(parts['comparison'] ?? Number.NaN, 'ms')],
        [`… of ${FRAMES} frames`, amount(parts['frames'] ?? Number.NaN, 'ms')],
        ['… of the whole case', amount(whole, 'ms'), '≤ 3000 ms'],
        ['processor time to load the reader of documents', amount(document.loading, 'ms'), '≤ 600 ms'],
        ['… and the nets of faces', amount(faces.loading, 'ms'), '≤ 600 ms'],
        ['most memory of the reader of documents', amount(document.peak, 'MiB'), '≤ 450 MiB'],
        ['… and of the reader of faces', amount(faces.peak, 'MiB'), '≤ 450 MiB'],
      ],
      raw: { document, faces },
    },
  ];
}

if (import.meta.main) {
  const program = PROGRAMS[process.argv[2] as keyof typeof PROGRAMS];
  console.log(JSON.stringify(await program()));
}
