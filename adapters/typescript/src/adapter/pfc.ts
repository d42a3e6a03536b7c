import {
  assembleBricks,
  type Brick,
  checkRestore,
  decodeMetadata,
  encodeMetadata,
  extractBrick,
  type Field,
  type FieldWriter,
  openBundle,
  publishBundle,
  type RequestedCondition,
  type RestoreRequest,
  type Triple,
  writeField,
} from "../pfc/index.js";
import { base64, type Operation } from "./answer.js";
import { metadataAnswer, readMetadata } from "./pfc_metadata.js";
import {
  listOf,
  MalformedRequest,
  member,
  nullable,
  optionalMember,
  type Read,
  readBoolean,
  readBytes,
  readFloat,
  readInteger,
  readJsonText,
  readObject,
  readString,
  tripleOf,
} from "./request.js";

export const PFC_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "pfc.metadata.decode",
    (input) => {
      const metadata = decodeMetadata(member(input, "data", readBytes));
      return { value: metadataAnswer(metadata), data: base64(encodeMetadata(metadata)) };
    },
  ],
  ["pfc.metadata.encode", (input) => ({ data: base64(encodeMetadata(member(input, "value", readMetadata))) })],
  [
    "pfc.restore_check",
    (input) => {
      checkRestore(member(input, "metadata", readBytes), member(input, "request", readRestoreRequest));
      return {};
    },
  ],
  [
    "pfc.brick.assemble",
    (input) => ({
      data: base64(
        assembleBricks(member(input, "global_dimensions", readGrid), member(input, "parts", listOf(readBrick))),
      ),
    }),
  ],
  [
    "pfc.brick.extract",
    (input) => ({
      data: base64(
        extractBrick(member(input, "global_dimensions", readGrid), member(input, "data", readBytes), {
          offset: member(input, "offset", tripleOf(readInteger)),
          size: member(input, "size", tripleOf(readInteger)),
        }),
      ),
    }),
  ],
  [
    "pfc.open",
    (input) => {
      const { metadata, fields } = openBundle(member(input, "directory", readString));
      return {
        value: metadataAnswer(metadata),
        data: base64(encodeMetadata(metadata)),
        fields: fields.map(({ id, byteLength }) => ({ id, byteLength: byteLength.toString() })),
      };
    },
  ],
  [
    "pfc.publish",
    (input) => {
      publishBundle(
        member(input, "directory", readString),
        member(input, "metadata", readMetadata),
        member(input, "fields", listOf(readField)),
        optionalMember(input, "fail", readFailingWriter) ?? writeField,
      );
      return {};
    },
  ],
]);

const readRestoreRequest: Read<RestoreRequest> = (value, where) => {
  const object = readObject(value, where);
  const methodIdentity = optionalMember(object, "method_identity", nullable(readString), where);
  const fields = optionalMember(object, "fields", listOf(readString), where);
  const boundaryConditions = optionalMember(object, "boundary_conditions", listOf(readRequestedCondition), where);
  return {
    globalDimensions: member(object, "global_dimensions", tripleOf(readInteger), where),
    physicalOrigin: member(object, "physical_origin", tripleOf(readFloat), where),
    gridSpacing: member(object, "grid_spacing", tripleOf(readFloat), where),
    periodic: member(object, "periodic", tripleOf(readBoolean), where),
    ...(methodIdentity !== undefined && { methodIdentity }),
    ...(fields && { fields }),
    ...(boundaryConditions && { boundaryConditions }),
  };
};

const readRequestedCondition: Read<RequestedCondition> = (value, where) => {
  const object = readObject(value, where);
  return {
    config: member(object, "config", readJsonText, where),
    stateful: member(object, "stateful", readBoolean, where),
  };
};

const readGrid: Read<Triple<number>> = (value, where) => {
  const dimensions = tripleOf(readInteger)(value, where);
  if (!dimensions.every((cells) => cells >= 1 && Number.isSafeInteger(cells))) {
    throw new MalformedRequest(where, "dimensions of 1 or more");
  }
  return dimensions;
};

const readBrick: Read<Brick> = (value, where) => {
  const object = readObject(value, where);
  return {
    offset: member(object, "offset", tripleOf(readInteger), where),
    size: member(object, "size", tripleOf(readInteger), where),
    data: member(object, "data", readBytes, where),
  };
};

const readField: Read<Field> = (value, where) => {
  const object = readObject(value, where);
  return { id: member(object, "id", readString, where), data: member(object, "data", readBytes, where) };
};

/** A writer that fails at the field named, as a full disk would. */
const readFailingWriter: Read<FieldWriter> = (value, where) => {
  const failing = member(readObject(value, where), "field", readString, where);
  return (path, field) => {
    if (field.id === failing) {
      throw new Error("the request asked for this failure");
    }
    writeField(path, field);
  };
};
