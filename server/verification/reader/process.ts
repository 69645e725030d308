/**
 * Program that reads pictures in a process of its own. Its argument is the folder in which the models are installed. It
 * gets a picture and the day by message, and answers with what the picture says. A picture that cannot be decoded is
 * answered as unreadable; every other error ends the process.
 */
import { loadModels } from './models.ts';
import { type FileToRead, type PictureContent, readPicture, UnreadablePicture } from './read-picture.ts';

/** Message to the process. */
export interface ReadingRequest extends FileToRead {
  /** YYYY-MM-DD; decides the centuries of dates. */
  readonly today: string;
}

/** Message from the process. */
export type ReadingAnswer =
  | { readonly content: PictureContent; readonly pages: number }
  | { readonly unreadable: true };

const models = loadModels(process.argv[2]!);

async function answer({ today, ...file }: ReadingRequest): Promise<ReadingAnswer> {
  try {
    return await readPicture(await models, file, today);
  } catch (error) {
    if (error instanceof UnreadablePicture) return { unreadable: true };
    throw error;
  }
}

process.on('message', (request: ReadingRequest) => {
  void answer(request).then((one) => process.send?.(one));
});
process.on('disconnect', () => process.exit());
// A terminal sends its signals to all processes of the group. The service finishes running requests first and then ends
// this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
