/** What the small server sends: a status with a body, or with nothing. */
export interface Reply {
  readonly status: number;
  /** Null: no `content-type` header. */
  readonly type: string | null;
  readonly body: string;
}

export const empty = (status: number): Reply => ({ status, type: null, body: "" });

export const text = (status: number, body: string, type = "text/plain"): Reply => ({ status, type, body });

export const json = (body: unknown, status = 200): Reply => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});
