/** The screens of /manager beside the dashboard, as they stand in the address. */
export const managerViews = ["nodes", "stats", "contact"] as const;
