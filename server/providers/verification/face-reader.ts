/**
 * The process that reads faces, as the service keeps it: none if the operator has switched it off or its packages are
 * not installed, and none before the first face is read. Made at the start.
 */
import type { FaceAnswer, FaceRequest } from '../../verification/faces/process.ts';
import { FACE_PACKAGES, FaceProcess } from '../../verification/faces/face-process.ts';
import { areModelsIn, type Failed } from '../../verification/reader/readers.ts';
import type { FaceReader } from './embedded-faces.ts';
import type { PictureReadersOptions } from './picture-reader.ts';

/** Reads faces in a process of its own. */
export class OwnFaceReader implements FaceReader {
  readonly #options: PictureReadersOptions;
  readonly #process: FaceProcess;

  constructor(options: PictureReadersOptions) {
    this.#options = options;
    this.#process = new FaceProcess({ folder: options.folder });
  }

  /** The folder is looked at each time, so that an installation counts without a restart. */
  gap(): string | null {
    if (!this.#options.isOn) return 'The operator has switched the reader of faces off (VERIFICATION=off).';
    if (areModelsIn(this.#options.folder, FACE_PACKAGES)) return null;
    return 'The packages of the reader of faces are not installed yet: the operator runs `make verification`.';
  }

  read(request: FaceRequest, signal: AbortSignal): Promise<FaceAnswer | Failed> {
    return this.#process.read(request, signal);
  }

  close(): void {
    this.#process.close();
  }
}
