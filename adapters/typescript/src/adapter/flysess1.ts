import {
  canonicalManifest,
  commitToStore,
  decodeEnvelope,
  encodeEnvelope,
  type Layout,
  layoutOf,
  type Payload,
  readPayload,
} from "../flysess1/index.js";
import { type Answer, base64, type Operation } from "./answer.js";
import { listOf, member, type Read, readBytes, readObject, readString } from "./request.js";

export const FLYSESS1_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "flysess1.decode",
    (input) => {
      const { manifest, payloads } = decodeEnvelope(member(input, "data", readBytes));
      const manifestText = canonicalManifest(manifest);
      return {
        manifest: base64(manifestText),
        payloads: payloads.map(({ name, data }) => ({ name, data: base64(data) })),
        data: base64(encodeEnvelope(manifestText, payloads)),
      };
    },
  ],
  [
    "flysess1.encode",
    (input) => ({
      data: base64(encodeEnvelope(member(input, "manifest", readBytes), member(input, "payloads", listOf(readNamed)))),
    }),
  ],
  ["flysess1.layout", (input) => layoutAnswer(layoutOf(member(input, "data", readBytes)))],
  [
    "flysess1.payload",
    (input) => ({ data: base64(readPayload(member(input, "data", readBytes), member(input, "name", readString))) }),
  ],
  [
    "flysess1.commit",
    (input) => {
      const store = member(input, "store", readString);
      const names = {
        generation: member(input, "generation", readString),
        temporary: member(input, "temporary", readString),
        manifest: member(input, "manifest", readString),
        manifestTemporary: member(input, "manifest_temporary", readString),
      };
      commitToStore(store, names, member(input, "envelope", readBytes), member(input, "store_manifest", readBytes));
      return {};
    },
  ],
]);

const readNamed: Read<Payload> = (value, where) => {
  const object = readObject(value, where);
  return { name: member(object, "name", readString, where), data: member(object, "data", readBytes, where) };
};

function layoutAnswer(layout: Layout): Answer {
  return {
    manifestOffset: layout.manifestOffset.toString(),
    manifestBytes: layout.manifestBytes.toString(),
    tableOffset: layout.tableOffset.toString(),
    entries: layout.entries.map(({ name, offset, byteLength, digest }) => ({
      name,
      offset: offset.toString(),
      byteLength: byteLength.toString(),
      digest,
    })),
    footerOffset: layout.footerOffset.toString(),
    totalBytes: layout.totalBytes.toString(),
  };
}
