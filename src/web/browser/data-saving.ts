/** The Network Information API, which Firefox and Safari do not have. */
interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const slowTypes: ReadonlySet<string | undefined> = new Set(["slow-2g", "2g"]);

/** Whether the browser reports that the connection is slow, or that the user wants to save data. */
export function shouldSaveData(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: NetworkInformation };
  return connection?.saveData === true || slowTypes.has(connection?.effectiveType);
}
