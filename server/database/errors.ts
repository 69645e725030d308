/**
 * The errors of the database that other code may distinguish, and their translation from PostgreSQL's codes. Used by
 * this layer; the request layer maps them to responses. Messages contain names of tables and constraints, never values.
 */
import pg from 'pg';

/** Thrown if the database cannot be reached or is overloaded; the request may be repeated later (503). */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** Whether the connection broke during COMMIT, so that the transaction may or may not have happened. */
  readonly outcomeUnknown: boolean;
  constructor(message: string, options: { cause?: unknown; outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** Thrown if the database has a schema that this version does not know; only an operator can decide what to do. */
export class UnknownSchema extends Error {
  override readonly name = 'UnknownSchema';
}

/** Thrown if a constraint refused a row; `constraint` is its name in the schema. */
export class ConstraintViolation extends Error {
  override readonly name: string = 'ConstraintViolation';
  readonly constraint: string;
  constructor(cause: pg.DatabaseError) {
    super(`constraint ${cause.constraint ?? '?'} of table ${cause.table ?? '?'}`, { cause });
    this.constraint = cause.constraint ?? '';
  }
}

export class UniqueViolation extends ConstraintViolation {
  override readonly name = 'UniqueViolation';
}

export class ForeignKeyViolation extends ConstraintViolation {
  override readonly name = 'ForeignKeyViolation';
}

/** Thrown if two transactions excluded each other; the whole transaction can be run again. */
export class SerializationFailure extends Error {
  override readonly name: string = 'SerializationFailure';
}

/**
 * Thrown if the tenant has changed since the request was admitted (`require_tenant_state`); the transaction can be
 * repeated with the current state.
 */
export class TenantChanged extends SerializationFailure {
  override readonly name = 'TenantChanged';
}

/** Thrown if a row that another transaction holds was not released in time, or was locked under NOWAIT. */
export class LockNotAvailable extends Error {
  override readonly name = 'LockNotAvailable';
}

/** Thrown if a statement read or changed another number of rows than required. */
export class UnexpectedRowCount extends Error {
  override readonly name = 'UnexpectedRowCount';
}

/** Thrown if the server answered ROLLBACK to COMMIT although every awaited statement had succeeded. */
export class TransactionRolledBack extends Error {
  override readonly name = 'TransactionRolledBack';
}

/**
 * Codes of PostgreSQL (appendix A of its manual): connection, resources (a full disk is 53100), operator
 * intervention, failing disk.
 */
const UNAVAILABLE_CODES = /^(08|53|57P0|57014|58030)/;
const BROKEN_CONNECTION = /connection terminated|not queryable|timeout|timed out|client was closed|after calling end/i;

export function translate(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    switch (code) {
      case '23505':
        return new UniqueViolation(error);
      case '23503':
        return new ForeignKeyViolation(error);
      case '23514':
        return new ConstraintViolation(error);
      case '40001':
      case '40P01':
        return new SerializationFailure(error.message, { cause: error });
      case 'CO001':
        return new TenantChanged(error.message, { cause: error });
      case '55P03':
        return new LockNotAvailable(error.message, { cause: error });
      default:
        return UNAVAILABLE_CODES.test(code) ? new DatabaseUnavailable(error.message, { cause: error }) : error;
    }
  }
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code } = error as NodeJS.ErrnoException;
  // A host with several addresses causes an AggregateError, whose own message is empty.
  const message = error.message === '' ? (code ?? error.name) : error.message;
  const fromSocket = code !== undefined && /^(E[A-Z]+|ERR_(SOCKET|STREAM|TLS|SSL)_\w+)$/.test(code);
  return fromSocket || BROKEN_CONNECTION.test(message) ? new DatabaseUnavailable(message, { cause: error }) : error;
}

/**
 * Tells whether an error is that of a statement after the failed one of its transaction; such an error is never the
 * cause.
 */
export function isConsequence(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}
