/** Reads what pictures of faces say, as far as it may leave the process: numbers and distances, no descriptions. */
import type { Decode } from '../reader/decoder.ts';
import { decode, type Picture } from '../reader/picture.ts';
import { describe, distance, facesIn, type PlacedFace, withoutSmall } from './identity.ts';
import { facesInFrame, type Pose, poseOf } from './pose.ts';
import { isSame } from './same-picture.ts';
import type { IdentityNets, PoseNets } from './tensors.ts';

/** Everything that reads faces. */
export interface FaceModels {
  readonly decoder: { readonly decode: Decode };
  identity(): IdentityNets;
  pose(): PoseNets;
}

/** Faces of a picture; of several, the width in pixels is that of the largest. */
export type SeenFaces = 'unreadable' | { readonly faces: number; readonly width: number };

/** A document and a selfie, side by side. */
export interface Comparison {
  /** Each side of the document. */
  readonly sides: readonly SeenFaces[];
  readonly selfie: SeenFaces;
  /** How far the largest face of the document and that of the selfie are apart; null if one of them has none. */
  readonly distance: number | null;
  /** Whether the selfie is a picture of the document itself, stored anew or not. */
  readonly isSamePicture: boolean;
}

/** One frame of a challenge. */
export type SeenFrame =
  | 'unreadable'
  | {
      readonly faces: number;
      readonly width: number;
      /** Null without a face. */
      readonly pose: Pose | null;
      /** How far the face is from that of the frame before it that has one; null for the first. */
      readonly distance: number | null;
    };

/** Longest sides of pictures, in pixels. */
const LONGEST = { document: 2_000, person: 1_000 } as const;

interface Found {
  readonly picture: Picture | null;
  readonly faces: readonly PlacedFace[];
}

const seen = (found: Found): SeenFaces =>
  found.picture === null ? 'unreadable' : { faces: found.faces.length, width: Math.round(widthOf(found)) };

/** Decodes a picture; null if that is not possible. */
const opened = (models: FaceModels, bytes: Uint8Array, shows: keyof typeof LONGEST): Promise<Picture | null> =>
  decode(models.decoder, bytes, LONGEST[shows]).catch(() => null);

async function looked(models: FaceModels, bytes: Uint8Array, shows: keyof typeof LONGEST): Promise<Found> {
  const picture = await opened(models, bytes, shows);
  if (picture === null) return { picture, faces: [] };
  const located = await facesIn(models.identity(), picture);
  // One net alone takes some patterns for faces, and such are alike: another net must see a face there, too.
  const faces = located.filter((face) => poseOf(models.pose(), picture, face) !== null);
  return { picture, faces: withoutSmall(faces) };
}

/** Compares the face of a document with that of a selfie. */
export async function compare(
  models: FaceModels,
  { sides, selfie }: { readonly sides: readonly Uint8Array[]; readonly selfie: Uint8Array },
): Promise<Comparison> {
  const ofSelfie = await looked(models, selfie, 'person');
  const ofSides: Found[] = [];
  for (const side of sides) ofSides.push(await looked(models, side, 'document'));
  const widest = ofSides.toSorted((one, other) => widthOf(other) - widthOf(one))[0];
  const described = async ({ picture, faces: [largest] }: Found): Promise<Float32Array | null> =>
    picture === null || largest === undefined ? null : describe(models.identity(), picture, largest);
  const [portrait, face] = [widest === undefined ? null : await described(widest), await described(ofSelfie)];
  return {
    sides: ofSides.map(seen),
    selfie: seen(ofSelfie),
    distance: portrait === null || face === null ? null : distance(portrait, face),
    isSamePicture: ofSides.some(
      ({ picture }) => picture !== null && ofSelfie.picture !== null && isSame(picture, ofSelfie.picture),
    ),
  };
}

const widthOf = ({ faces: [largest] }: Found): number => largest?.width ?? 0;

/** Reads the frames of a challenge in their order. */
export async function readFrames(models: FaceModels, frames: readonly Uint8Array[]): Promise<SeenFrame[]> {
  const read: SeenFrame[] = [];
  let before: Float32Array | null = null;
  for (const bytes of frames) {
    const frame = await opened(models, bytes, 'person');
    const faces = frame === null ? [] : facesInFrame(models.pose(), frame);
    const [largest] = faces;
    const pose = frame === null || largest === undefined ? null : poseOf(models.pose(), frame, largest);
    if (frame === null) read.push('unreadable');
    else if (largest === undefined || pose === null)
      read.push({
        faces: 0,
        width: 0,
        pose: null,
        distance: null,
      });
    else {
      const described = await describe(models.identity(), frame, largest);
      read.push({
        faces: faces.length,
        width: Math.round(largest.width),
        pose,
        distance: before === null ? null : distance(before, described),
      });
      before = described;
    }
  }
  return read;
}
