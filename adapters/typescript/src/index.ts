export * as flysess1 from "./flysess1/index.js";
export * as json from "./json/index.js";
export * as lmdl from "./lmdl/index.js";
export * as pfc from "./pfc/index.js";
export * from "./rejection.js";
