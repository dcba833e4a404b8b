import { describeEngine } from "./describe-engine.ts";
import { startFirefox } from "./puppeteer-engine.ts";

describeEngine("Firefox", startFirefox);
