/** SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN (sqlite.org/rescode.html). */
const sqliteUnavailable = new Set([5, 8, 10, 13, 14]);
/**
 * Classes connection exception, insufficient resources, operator intervention (a statement timeout is one); read-only
 * transaction, idle transaction ended, deadlock, lock timeout (PostgreSQL's appendix "Error Codes").
 */
const postgresUnavailable = /^(?:08|53|57)|^(?:25006|25P03|40P01|55P03)$/;
const networkUnavailable = new Set(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "ENOTFOUND"]);

/** The server is read-only, as a former primary is after a failover. Nothing was changed. */
export class ReadOnlyServerError extends Error {
  override readonly name = "ReadOnlyServerError";
}

/** The connection broke while PostgreSQL was to commit, so the change may have been saved or not. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

const unavailableErrors = [ReadOnlyServerError, OutcomeUnknownError];

/** SQLITE_FULL and SQLITE_READONLY. */
const [sqliteFull, sqliteReadOnly] = [13, 8];
/** Of a file, and PostgreSQL's `disk_full`. */
const fullCodes = new Set(["ENOSPC", "EDQUOT", "53100"]);
/** Of a file, and PostgreSQL's `read_only_sql_transaction`. */
const readOnlyCodes = new Set(["EROFS", "EACCES", "EPERM", "25006"]);

interface Fault {
  readonly code?: unknown;
  readonly errcode?: unknown;
}

/** Whether a disk has no space. */
export function isFullError(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as Fault;
  return fullCodes.has(String(code)) || (Number(errcode) & 0xff) === sqliteFull;
}

/** Whether a file, a folder or a database cannot be written by this server. */
export function isReadOnlyError(error: unknown): boolean {
  if (error instanceof ReadOnlyServerError) return true;
  const { code, errcode } = (error ?? {}) as Fault;
  return readOnlyCodes.has(String(code)) || (Number(errcode) & 0xff) === sqliteReadOnly;
}

/** Whether an error means that the database is unavailable, rather than that the statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (unavailableErrors.some((type) => error instanceof type)) return true;
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  // The low byte of an extended SQLite code is the primary one.
  if (typeof errcode === "number") return sqliteUnavailable.has(errcode & 0xff);
  if (typeof code === "string") return postgresUnavailable.test(code) || networkUnavailable.has(code);
  return (
    typeof message === "string" &&
    /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/.test(
      message,
    )
  );
}
