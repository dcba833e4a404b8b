/** Whether a statement only reads, so that it can run outside of the turns of changes. */
export function isRead(statement: string): boolean {
  return /^\s*select\b/i.test(statement);
}
