/** Loaded into a program with `--import`: makes it the next version, which has one more migration. */
import { type Migrations, migrations } from "#server/db/migrate.ts";
import { nextVersion } from "../server/planted-migration.ts";

Object.assign(migrations as Record<string, Migrations[string]>, nextVersion);
