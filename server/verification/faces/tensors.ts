/**
 * Stands in front of TensorFlow.js, so that nothing else of the service knows it: nets take plain numbers and give
 * plain numbers back. The library gets no releases any more; whoever replaces it rewrites this file and no other. Its
 * packages are installed apart from the service, and their types are written here, as far as they are used.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

interface Tensor {
  readonly shape: readonly number[];
  readonly size: number;
  dataSync(): Float32Array;
  dispose(): void;
}

type Operation = (...args: unknown[]) => Tensor;

interface Core {
  readonly Tensor: { readonly prototype: Record<string, unknown> };
  readonly io: { decodeWeights(bytes: ArrayBuffer, specification: unknown): unknown };
  tensor(values: Float32Array, shape: readonly number[]): Tensor;
  reshape(tensor: unknown, shape: readonly number[]): Tensor;
  cast(tensor: unknown, type: 'float32' | 'int32'): Tensor;
  env(): { set(flag: string, value: boolean): void };
  setBackend(name: 'wasm'): Promise<boolean>;
  dispose(tensors: readonly Tensor[]): void;
}

interface WasmBackend {
  setWasmPaths(folder: string): void;
  setThreadsCount(threads: number): void;
}

interface GraphModel {
  execute(input: Tensor): Tensor[];
}

interface Converter {
  loadGraphModelSync(handler: { load(): object }): GraphModel;
}

interface Detection {
  readonly score: number;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

interface Weighted {
  loadFromWeightMap(weights: unknown): void;
}

/** What is used of the package of the face nets. */
interface FaceApi {
  readonly nets: {
    readonly tinyFaceDetector: Weighted & { locateFaces(input: Tensor, options: object): Promise<Detection[]> };
    readonly faceLandmark68Net: Weighted & {
      detectLandmarks(
        input: Tensor,
      ): Promise<{ readonly positions: readonly { readonly x: number; readonly y: number }[] }>;
    };
    readonly faceRecognitionNet: Weighted & { computeFaceDescriptor(input: Tensor): Promise<Float32Array> };
  };
  readonly TinyFaceDetectorOptions: new (options: object) => object;
}

/** Square picture: red, green and blue of each pixel, row by row, from 0 to 255. */
export interface Square {
  readonly side: number;
  readonly values: Float32Array;
}

/** Face in a square picture, in its pixels: its centre, its width and height. */
export interface Located {
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Nets that find faces and tell them apart. */
export interface IdentityNets {
  locate(square: Square): Promise<Located[]>;
  /** Returns 68 points of the only face of a square, in its pixels. */
  landmarks(square: Square): Promise<readonly { readonly x: number; readonly y: number }[]>;
  /** Returns 128 numbers of an upright face, which are near those of the same person. */
  describe(square: Square): Promise<Float32Array>;
}

/** Runs a net on a square picture and returns its outputs, from the smallest to the largest. */
export type SquareNet = (square: Square) => readonly Float32Array[];

/** Nets that find faces in frames and tell how they are turned. */
export interface PoseNets {
  readonly detector: SquareNet;
  readonly mesh: SquareNet;
}

const CORE = '@tensorflow/tfjs-core';
const CONVERTER = '@tensorflow/tfjs-converter';
const BACKEND = '@tensorflow/tfjs-backend-wasm';
const FACES = '@vladmandic/face-api';
const POSES = '@vladmandic/human';

/** Packages that must be installed in the folder of the models. */
export const TENSOR_PACKAGES = [CORE, CONVERTER, BACKEND, FACES, POSES] as const;

const LEAST_SCORE = 0.5;

/** Loads nets from the packages that are installed in a folder. Throws if they are not installed there. */
export class Tensors {
  readonly #folder: string;
  readonly #require: NodeJS.Require;
  readonly #tf: Core;

  private constructor(folder: string, require: NodeJS.Require, tf: Core) {
    this.#folder = folder;
    this.#require = require;
    this.#tf = tf;
  }

  /** Loads the library with WebAssembly on one thread. */
  static async load(folder: string): Promise<Tensors> {
    const require = createRequire(join(folder, 'package.json'));
    const tf = require(CORE) as Core;
    const backend = require(BACKEND) as WasmBackend;
    backend.setWasmPaths(join(folder, 'node_modules', BACKEND, 'wasm-out/'));
    backend.setThreadsCount(1);
    tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    if (!(await tf.setBackend('wasm'))) throw new Error('WebAssembly is missing');
    chainOperations(tf);
    return new Tensors(folder, require, tf);
  }

  #path(name: string, file: string): string {
    return join(this.#folder, 'node_modules', name, file);
  }

  #input({ side, values }: Square): Tensor {
    return this.#tf.tensor(values, [side, side, 3]);
  }

  identityNets(): IdentityNets {
    const { nets, TinyFaceDetectorOptions } = this.#faceApi();
    const { tinyFaceDetector, faceLandmark68Net, faceRecognitionNet } = nets;
    tinyFaceDetector.loadFromWeightMap(this.#weights('tiny_face_detector_model'));
    faceLandmark68Net.loadFromWeightMap(this.#weights('face_landmark_68_model'));
    faceRecognitionNet.loadFromWeightMap(this.#weights('face_recognition_model'));
    const withInput = async <T>(square: Square, run: (input: Tensor) => Promise<T>): Promise<T> => {
      const input = this.#input(square);
      try {
        return await run(input);
      } finally {
        input.dispose();
      }
    };
    return {
      locate: (square) =>
        withInput(square, async (input) => {
          const options = new TinyFaceDetectorOptions({ inputSize: square.side, scoreThreshold: LEAST_SCORE });
          const found = await tinyFaceDetector.locateFaces(input, options);
          return found.map(({ score, box: { x, y, width, height } }) => ({
            score,
            x: x + width / 2,
            y: y + height / 2,
            width,
            height,
          }));
        }),
      landmarks: (square) =>
        withInput(square, async (input) => (await faceLandmark68Net.detectLandmarks(input)).positions),
      describe: (square) => withInput(square, (input) => faceRecognitionNet.computeFaceDescriptor(input)),
    };
  }

  poseNets(): PoseNets {
    return { detector: this.#graph('blazeface', 'signed'), mesh: this.#graph('facemesh', 'unsigned') };
  }

  /** The package asks for the whole of TensorFlow.js, and gets the parts that are installed. */
  #faceApi(): FaceApi {
    const path = this.#path(FACES, 'dist/face-api.node-wasm.js');
    const parts = { ...this.#tf, ...(this.#require(CONVERTER) as Converter) };
    const required = (name: string): unknown =>
      name === '@tensorflow/tfjs' ? parts : (this.#require(name) as unknown);
    const module = { exports: {} };
    const run = compileFunction(readFileSync(path, 'utf8'), ['exports', 'require', 'module'], { filename: path });
    run(module.exports, required, module);
    return module.exports as FaceApi;
  }

  #weights(name: string): unknown {
    const [group] = this.#json(FACES, `model/${name}-weights_manifest.json`) as [
      { readonly paths: readonly [string]; readonly weights: unknown },
    ];
    return this.#tf.io.decodeWeights(this.#bytes(FACES, `model/${group.paths[0]}`), group.weights);
  }

  /** Loads a graph that takes values from -1 to 1, or from 0 to 1. */
  #graph(name: string, range: 'signed' | 'unsigned'): SquareNet {
    const { modelTopology, weightsManifest } = this.#json(POSES, `models/${name}.json`) as {
      readonly modelTopology: object;
      readonly weightsManifest: readonly { readonly weights: readonly object[] }[];
    };
    const graph = (this.#require(CONVERTER) as Converter).loadGraphModelSync({
      load: () => ({
        modelTopology,
        weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
        weightData: this.#bytes(POSES, `models/${name}.bin`),
      }),
    });
    const scaled = (value: number): number => (range === 'signed' ? value / 127.5 - 1 : value / 255);
    return ({ side, values }) => {
      const input = this.#tf.tensor(values.map(scaled), [1, side, side, 3]);
      const outputs = graph.execute(input).toSorted((one, other) => one.size - other.size);
      const numbers = outputs.map((output) => output.dataSync().slice());
      this.#tf.dispose([input, ...outputs]);
      return numbers;
    };
  }

  #json(name: string, file: string): unknown {
    return JSON.parse(readFileSync(this.#path(name, file), 'utf8'));
  }

  #bytes(name: string, file: string): ArrayBuffer {
    return new Uint8Array(readFileSync(this.#path(name, file))).buffer;
  }
}

/**
 * Makes every operation a method of tensors, as packages expect that were written for the whole library. Importing the
 * part of the library that does so fails.
 */
function chainOperations(tf: Core): void {
  const { prototype } = tf.Tensor;
  for (const [name, operation] of Object.entries(tf as unknown as Record<string, unknown>)) {
    if (typeof operation !== 'function' || !/^[a-z]/.test(name) || name in prototype) continue;
    prototype[name] = function chained(...args: unknown[]): Tensor {
      return (operation as Operation)(this, ...args);
    };
  }
  const reshaped = function reshaped(this: unknown, ...shape: number[]): Tensor {
    return tf.reshape(this, shape);
  };
  Object.assign(prototype, {
    as1D(this: { readonly size: number }) {
      return tf.reshape(this, [this.size]);
    },
    as2D: reshaped,
    as3D: reshaped,
    as4D: reshaped,
    toFloat(this: unknown) {
      return tf.cast(this, 'float32');
    },
    toInt(this: unknown) {
      return tf.cast(this, 'int32');
    },
  });
}
