import pg from 'pg';
import type { Statement, Transaction, Values } from '../../../../server/database/index.ts';
import type { Compilable } from '../../../../server/database/statement.ts';

/**
 * The tenant's transaction with nothing around it: BEGIN, set_config, the work, COMMIT. In sequence, each statement is sent
 * when the one before is answered; pipelined, all of them leave in one write.
 */
export async function bareTransaction(pool: pg.Pool, tenantId: string, pipelined: boolean, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  const { stream } = (client as unknown as pg.Client).connection;
  const tx = new BareTransaction(client, tenantId, pipelined);
  try {
    if (pipelined) stream.cork();
    const begun = [tx.send({ text: 'BEGIN' }), tx.send({ name: 'tenant', text: `SELECT set_config('app.tenant_id', $1, true)`, values: [tenantId] })];
    const worked = work(tx);
    const ended = tx.finish();
    if (pipelined) stream.uncork();
    await Promise.all([...begun, worked, ...ended]);
    const { command } = await (ended.at(-1) as Promise<pg.QueryResult>);
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

class BareTransaction implements Transaction {
  readonly tenantId: string;
  readonly #client: pg.PoolClient;
  readonly #pipelined: boolean;
  readonly #last: (() => Promise<pg.QueryResult>)[] = [];
  #before: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, tenantId: string, pipelined: boolean) {
    this.#client = client;
    this.tenantId = tenantId;
    this.#pipelined = pipelined;
  }

  async run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return (await this.#execute(statement, values)).rows as Row[];
  }

  async count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return (await this.#execute(statement, values)).rowCount ?? 0;
  }

  async query<Row>(query: Compilable): Promise<Row[]> {
    const { sql: text, bindings } = query.toSQL().toNative();
    return (await this.send({ text, values: [...bindings] })).rows as Row[];
  }

  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    this.#last.push(() => this.#execute(statement, values));
  }

  within(): never {
    throw new TypeError('a request of one tenant reaches no other');
  }

  /** Sends what was kept for the end, and COMMIT. */
  finish(): Promise<pg.QueryResult>[] {
    return [...this.#last.map((execute) => execute()), this.send({ text: 'COMMIT' })];
  }

  send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#pipelined) return this.#client.query(query);
    const answer = this.#before.then(() => this.#client.query(query));
    this.#before = answer;
    return answer;
  }

  #execute<V extends Values>({ name, text, bind }: Statement<V, unknown>, values: V): Promise<pg.QueryResult> {
    return this.send({ name, text, values: bind(values) });
  }
}
