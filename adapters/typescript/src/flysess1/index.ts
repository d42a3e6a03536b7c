/** Session checkpoint envelopes: header, manifest, payload table, payloads, footer in one file. */
export { decodeEnvelope, type Envelope, type Layout, type LayoutEntry, layoutOf, type Payload } from "./decode.js";
export { encodeEnvelope } from "./encode.js";
export { canonicalManifest, REQUIRED_MANIFEST_FIELDS } from "./manifest.js";
export { readPayload } from "./payload.js";
export { commitToStore, type StoreNames } from "./store.js";
