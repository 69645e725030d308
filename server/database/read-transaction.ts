import type { ActingTenant } from './acting-tenant.ts';
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
  readonly #tenant: ActingTenant;
  #open = false;

  constructor(connection: Connection, tenant: ActingTenant) {
    this.#connection = connection;
    this.#tenant = tenant;
    this.tenantId = tenant.now;
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

  within(tenantId: string): Transaction {
    return this.#tenant.view(this, tenantId);
  }

  async #execute<V extends Values, Row>({ name, text, expectRows, bind }: Statement<V, Row>, values: V): Promise<Answer<Row>> {
    const answer = await this.#send<Row>({ name, text, values: bind(values) });
    if (expectRows === null || answer.rowCount === expectRows) return answer;
    throw new UnexpectedRowCount(`${name} found ${answer.rowCount} rows instead of ${expectRows}`);
  }

  #send<Row>(query: Query): Promise<Answer<Row>> {
    if (!this.#open) {
      this.#open = true;
      this.#connection.begin('READ ONLY', this.#tenant.now);
      this.#connection.beforeWrite(() => {
        this.#open = false;
        void this.#connection.send({ text: 'COMMIT' });
      });
    }
    this.#connection.setTenant(this.#tenant.now);
    return this.#connection.send<Row>(query);
  }
}
