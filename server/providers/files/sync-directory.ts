import { open } from 'node:fs/promises';

/** A renamed or created entry survives a crash only when its directory has reached the disk too. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
