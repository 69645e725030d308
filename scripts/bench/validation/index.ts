import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ValidationOrder {
  readonly contractFile: string;
  readonly runtimeContractFile: string;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly calls: number;
  readonly stockCalls: number;
}

/** Microseconds of CPU per exchange by `<ours|stock> <GET|POST> <operations>`. */
export type ValidationFigures = Readonly<Record<string, number>>;

export async function measureValidation(order: ValidationOrder): Promise<ValidationFigures> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const died = once(child, 'exit').then(([code]): never => { throw new Error(`measuring the validation ended with status ${String(code)}`); });
  died.catch(() => {});
  child.send(order);
  const [figures] = (await Promise.race([once(child, 'message'), died])) as [ValidationFigures];
  return figures;
}
