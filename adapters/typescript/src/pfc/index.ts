/** Checkpoint bundles: a directory with `metadata.json` and one file of float64 cells a field. */
export { assembleBricks, type Box, type Brick, extractBrick } from "./brick.js";
export { decodeMetadata } from "./decode.js";
export { encodeMetadata } from "./encode.js";
export type { BoundaryCondition, Decomposition, Domain, Metadata, NewMetadata, Triple } from "./metadata.js";
export { type Bundle, type FieldFile, MAX_METADATA_BYTES, openBundle } from "./open.js";
export { type Field, type FieldWriter, publishBundle, writeField } from "./publish.js";
export { checkRestore, type RequestedCondition, type RestoreRequest } from "./restore.js";
