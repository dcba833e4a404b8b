/**
 * The addresses of a host name, canonical, in order of preference; empty where the name has none. Rejects
 * when the name servers could not be asked. The answer is not trusted: who uses it checks it.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>;
