/** Loaded into a server with `--import`: its system clock is ahead by the milliseconds in the file DATE_OFFSET_FILE. */
import { readFileSync } from "node:fs";

const realNow = Date.now.bind(Date);
const path = process.env["DATE_OFFSET_FILE"] ?? "";

Date.now = () => realNow() + Number(readFileSync(path, "utf8"));
