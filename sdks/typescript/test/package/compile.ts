/** Compiles a consumer of the packed package. Used by package.test.ts, which expects no complaint. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES, type Project } from '../support/installation.ts';

/** What the compiler complains of in the strict consumer. */
export async function compile(
  project: Project,
  options: { readonly types?: readonly string[] } & Record<string, unknown>,
  compiler: 'typescript' | 'typescript-native' | 'typescript-oldest' = 'typescript-native',
): Promise<string> {
  for (const name of options.types === undefined ? [] : ['@types/node', 'undici-types']) {
    const target = join(project.folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    cpSync(join(MODULES, name), target, { recursive: true });
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: [],
    ...options,
  };
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  try {
    return await project.run(process.execPath, [join(MODULES, compiler, 'bin/tsc'), '-p', project.folder]);
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
}
