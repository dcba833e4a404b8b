export const overviewTabs = ["status", "details", "troubleshooting", "edit"] as const;
export type OverviewTab = (typeof overviewTabs)[number];
