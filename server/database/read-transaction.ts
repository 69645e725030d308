/**
 * Read-only transactions that send their statements with BEGIN and COMMIT in one round trip. Created by the pipelined
 * transactions of this layer. Each statement has its own snapshot, so two of them may see different states.
 */
import { compile, type Connection, markHandled, type Query, type StatementResult } from './connection.ts';
import { UnexpectedRowCount } from './errors.ts';
import type { Compilable, Statement, Values } from './statement.ts';
import type { ActingTenant, AuditChain, Transaction } from './transaction.ts';

/**
 * A read-only transaction at READ COMMITTED, where each statement has its own snapshot anyway. So statements that do
 * not wait for one another are sent with BEGIN, tenant and COMMIT in one round trip, and those that do get a
 * transaction of their own.
 */
export class ReadTransaction implements Transaction {
  readonly tenantId: string | null;
  readonly auditChain: AuditChain;
  readonly #connection: Connection;
  readonly #tenant: ActingTenant;
  #open = false;

  constructor(connection: Connection, tenant: ActingTenant) {
    this.#connection = connection;
    this.#tenant = tenant;
    this.tenantId = tenant.now;
    this.auditChain = tenant.auditChain;
  }

  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return markHandled(this.#execute(statement, values).then((answer) => answer.rows));
  }

  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return markHandled(this.#execute(statement, values).then((answer) => answer.rowCount ?? 0));
  }

  query<Row>(query: Compilable): Promise<Row[]> {
    return markHandled(this.#send<Row>(compile(query)).then((answer) => answer.rows));
  }

  beforeCommit(): void {
    throw new TypeError('beforeCommit() needs a transaction that is not read-only');
  }

  tenantKey(purpose: string): Buffer {
    return this.#tenant.keyOf(this.tenantId, purpose);
  }

  within(tenantId: string): Transaction {
    return this.#tenant.view(this, tenantId);
  }

  #execute<V extends Values, Row>(
    { name, text, expectRows, bind }: Statement<V, Row>,
    values: V,
  ): Promise<StatementResult<Row>> {
    const sent = this.#send<Row>({ name, text, values: bind(values) });
    return expectRows === null
      ? sent
      : sent.then((answer) => {
          if (answer.rowCount === expectRows) return answer;
          throw new UnexpectedRowCount(`${name} found ${answer.rowCount} rows instead of ${expectRows}`);
        });
  }

  #send<Row>(query: Query): Promise<StatementResult<Row>> {
    if (!this.#open) {
      this.#open = true;
      this.#connection.begin('READ ONLY', this.#tenant);
      this.#connection.beforeWrite(() => {
        this.#open = false;
        void this.#connection.send({ text: 'COMMIT' });
      });
    }
    this.#connection.setTenant(this.#tenant.now);
    return this.#connection.send<Row>(query);
  }
}
