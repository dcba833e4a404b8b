import type { ColumnDefinitionBuilder } from "kysely";

export const notNull = (column: ColumnDefinitionBuilder) => column.notNull();

export const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();
