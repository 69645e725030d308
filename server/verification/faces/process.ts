/**
 * Program that reads faces in a process of its own. Its argument is the folder in which the models are installed. It
 * gets a document and a selfie, or the frames of a challenge, by message, and answers with what they show. Nets are
 * loaded when they are first needed.
 */
import { loadDecoder } from '../reader/decoder.ts';
import { compare, type Comparison, type FaceModels, readFrames, type SeenFrame } from './read-faces.ts';
import { type IdentityNets, type PoseNets, Tensors } from './tensors.ts';

/** Message to the process. */
export type FaceRequest =
  | { readonly sides: readonly Uint8Array[]; readonly selfie: Uint8Array }
  | { readonly frames: readonly Uint8Array[] };

/** Message from the process. */
export type FaceAnswer = { readonly comparison: Comparison } | { readonly frames: readonly SeenFrame[] };

async function load(folder: string): Promise<FaceModels> {
  const tensors = await Tensors.load(folder);
  let identity: IdentityNets | null = null;
  let pose: PoseNets | null = null;
  return {
    decoder: { decode: loadDecoder(folder) },
    identity: () => (identity ??= tensors.identityNets()),
    pose: () => (pose ??= tensors.poseNets()),
  };
}

const models = load(process.argv[2]!);

async function answer(request: FaceRequest): Promise<FaceAnswer> {
  return 'frames' in request
    ? { frames: await readFrames(await models, request.frames) }
    : { comparison: await compare(await models, request) };
}

process.on('message', (request: FaceRequest) => {
  void answer(request).then((one) => process.send?.(one));
});
process.on('disconnect', () => process.exit());
// A terminal sends its signals to all processes of the group. The service finishes running requests first and then ends
// this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
