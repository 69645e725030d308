import { compile, heard } from './connection.ts';
import type { Answer, Connection, Query } from './connection.ts';
import { UnexpectedRowCount } from './errors.ts';
import type { Compilable, Statement, Values } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * Reading at READ COMMITTED, where each statement has its own snapshot anyway: so those that do not wait for one another
 * travel with BEGIN, tenant and COMMIT in one round trip, and those that do wait get a transaction of their own.
 */
export class ReadTransaction implements Transaction {
  readonly tenantId: string | null;
  readonly #connection: Connection;
  #open = false;

  constructor(connection: Connection, tenantId: string | null) {
    this.#connection = connection;
    this.tenantId = tenantId;
  }

  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return heard(this.#execute(statement, values).then((answer) => answer.rows));
  }

  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return heard(this.#execute(statement, values).then((answer) => answer.rowCount ?? 0));
  }

  query<Row>(query: Compilable): Promise<Row[]> {
    return heard(this.#send<Row>(compile(query)).then((answer) => answer.rows));
  }

  atEnd(): void {
    throw new TypeError('a read-only transaction writes nothing at its end');
  }

  async #execute<V extends Values, Row>({ name, text, expectRows, bind }: Statement<V, Row>, values: V): Promise<Answer<Row>> {
    const answer = await this.#send<Row>({ name, text, values: bind(values) });
    if (expectRows === null || answer.rowCount === expectRows) return answer;
    throw new UnexpectedRowCount(`${name} found ${answer.rowCount} rows instead of ${expectRows}`);
  }

  #send<Row>(query: Query): Promise<Answer<Row>> {
    if (!this.#open) {
      this.#open = true;
      this.#connection.begin('READ ONLY', this.tenantId);
      this.#connection.beforeWrite(() => {
        this.#open = false;
        void this.#connection.send({ text: 'COMMIT' });
      });
    }
    return this.#connection.send<Row>(query);
  }
}
