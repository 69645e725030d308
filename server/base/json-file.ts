/**
 * Reads a JSON array from a file of the operator. Used for watch-list sources and directory participants. Errors name
 * the file and never its content.
 */
import { readFile } from 'node:fs/promises';

/**
 * Reads a JSON array from a file that the operator has written. Error messages do not repeat the content, because such
 * a file may contain secrets.
 */
export async function readJsonArray(file: string, what: string): Promise<readonly unknown[]> {
  const text = await readFile(file, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
  if (!Array.isArray(value)) throw new Error(`${file} must hold a JSON array of ${what}`);
  return value;
}
