import { snakeCase } from '../../generate/naming.ts';

/** `ReviewNote` → `review note` */
export function words(name: string): string {
  return snakeCase(name).replaceAll('_', ' ');
}

/** `ReviewEntry` → `review entries`: good enough for a description that a designer may word better. */
export function plural(name: string): string {
  return words(name).replace(/([^aeiou])y$/, '$1ie').replace(/(s|x|ch|sh)$/, '$1e').concat('s');
}
