import { describeEngine } from "./describe-engine.ts";
import { startWebKit } from "./webkit-engine.ts";

describeEngine("WebKit", startWebKit);
