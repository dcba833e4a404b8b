import { describeEngine } from "./describe-engine.ts";
import { startChromium } from "./puppeteer-engine.ts";

describeEngine("Chromium", startChromium);
