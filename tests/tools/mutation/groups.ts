/** What `npm run mutation` changes, and the fast tests that must notice. */
export interface MutationGroup {
  readonly name: string;
  /** Globs of the files that are changed. */
  readonly mutate: readonly string[];
  /** The share of the changes that the tests have to notice, percent. */
  readonly required: number;
  /** Globs of the test files that are repeated for each change. */
  readonly tests: readonly string[];
}

/** The environment variable that tells vitest's processes the name of the group. */
export const groupVariable = "PEERDECK_MUTATION_GROUP";

export const groups: readonly MutationGroup[] = [
  {
    name: "agent",
    required: 93,
    mutate: [
      "src/agent/drivers/bird/{filter-reasons,included-files,parse-filtered,parse-session,queries,render,unloaded-changes}.ts",
      "src/agent/drivers/firewall/{dropping-chains,render,unlisted-interfaces}.ts",
      "src/agent/drivers/linux/{latency,node-usage,read-links,values-in-use}.ts",
      "src/agent/drivers/roa/parse-roas.ts",
      "src/agent/drivers/wireguard/{addresses,parse-dump,read-interfaces,render}.ts",
    ],
    tests: [
      "src/agent/drivers/{bird,firewall,wireguard}/*.test.ts",
      "src/agent/drivers/linux/{latency,node-usage,read-links,values-in-use}.test.ts",
      "src/agent/drivers/roa/parse-roas.test.ts",
      // With the recordings of BIRD.
      "tests/tools/record-bird/parsers.test.ts",
    ],
  },
  {
    name: "registry",
    required: 99,
    mutate: ["src/server/registry/*.ts"],
    tests: ["src/server/registry/*.test.ts"],
  },
  {
    name: "api",
    required: 88,
    mutate: [
      "src/server/api/{authenticate,client-address,guard,known-clients,login-session-rows,rate-limits,secret-tokens,serve-calls}.ts",
    ],
    tests: [
      "src/server/api/*.test.ts",
      "tests/integration/http/guard.test.ts",
      "tests/integration/accounts/{change-password,flood,lockout,login,login-sessions,login-storms}.test.ts",
      "tests/integration/audit/account-events.test.ts",
      "tests/integration/server/authorization.test.ts",
    ],
  },
  {
    name: "domain",
    required: 92,
    mutate: ["src/domain/**/*.ts"],
    // Without the property of the rules, which takes seconds for each change and asserts little that the tables do not.
    tests: [
      "src/domain/**/*.test.ts",
      "tests/domain/{check-peering,hostile-input,import-policy,peering-rules,rendered-files,wireguard-key}.test.ts",
    ],
  },
];
