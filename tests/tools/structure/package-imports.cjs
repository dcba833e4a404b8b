/** Lets the linter's walls follow the package's own imports ("#domain/…"), which its default resolver does not know. */
const { createRequire } = require("node:module");

module.exports = {
  interfaceVersion: 2,
  resolve(source, file) {
    if (!source.startsWith("#")) return { found: false };
    try {
      // Without the query of Vite.
      return { found: true, path: createRequire(file).resolve(source.replace(/\?.*$/, "")) };
    } catch {
      return { found: false };
    }
  },
};
