export const overviewTabs = ["status", "edit"] as const;
export type OverviewTab = (typeof overviewTabs)[number];
