/** Unlike `ext::…` and other remote helpers, these transports run no program that the URL names. */
const schemes = new Set(["https:", "http:", "ssh:", "git:", "file:"]);

/** `git@git.example.net:dn42/registry.git` */
const shortSsh = /^(?:[a-z0-9][\w.-]*@)?(?:[a-z0-9][\w.-]*|\[[0-9a-f:.]+\]):(?![:-]|\/\/)/i;

/**
 * Whether git can fetch from it: a URL, an absolute path or `user@host:path`. Passwords are refused, since every user of
 * the machine can read the arguments of a program.
 */
export function isGitUrl(given: string): boolean {
  if (!/^[\x21-\x7e]{1,500}$/.test(given)) return false;
  if (given.startsWith("/") || shortSsh.test(given)) return true;
  const url = URL.parse(given);
  if (!url || !/^[a-z]+:\/\//i.test(given) || !schemes.has(url.protocol)) return false;
  const hasSecret = url.password !== "" || (url.username !== "" && url.protocol !== "ssh:");
  const startsLikeOption = [url.hostname, url.username].some((part) => part.startsWith("-"));
  return !hasSecret && !startsLikeOption && (url.protocol === "file:") === (url.hostname === "");
}
