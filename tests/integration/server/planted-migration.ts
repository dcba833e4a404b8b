import { type Migrations, migrations } from "#server/db/migrate.ts";

export const plantedName = "9000-planted";

/** The migrations of a next version, which adds a column to the accounts and a table that refers to them. */
export const nextVersion: Migrations = {
  ...migrations,
  [plantedName]: {
    up: async (db) => {
      await db.schema
        .alterTable("accounts")
        .addColumn("planted", "text", (column) => column.notNull().defaultTo("new"))
        .execute();
      await db.schema
        .createTable("planted")
        .addColumn("asn", "text", (column) => column.references("accounts.asn"))
        .execute();
    },
  },
};
