import { binary64Text, pfcLineText } from "../json/index.js";
import type { BoundaryCondition, Decomposition, Domain, Metadata, NewMetadata } from "../pfc/index.js";
import type { Answer } from "./answer.js";
import {
  listOf,
  member,
  optionalMember,
  type Read,
  readBoolean,
  readFloat,
  readInteger,
  readJsonText,
  readObject,
  readString,
  tripleOf,
} from "./request.js";

/** The protocol's META, read. */
export const readMetadata: Read<NewMetadata> = (value, where) => {
  const object = readObject(value, where);
  const formatVersion = optionalMember(object, "format_version", readInteger, where);
  const resultCounter = optionalMember(object, "result_counter", readInteger, where);
  const decomposition = optionalMember(object, "decomposition", readDecomposition, where);
  const fields = optionalMember(object, "fields", listOf(readString), where);
  const boundaryConditions = optionalMember(object, "boundary_conditions", listOf(readCondition), where);
  return {
    acceptedTime: member(object, "accepted_time", readFloat, where),
    acceptedIncrement: member(object, "accepted_increment", readInteger, where),
    domain: member(object, "domain", readDomain, where),
    methodIdentity: member(object, "method_identity", readString, where),
    ...(formatVersion !== undefined && { formatVersion }),
    ...(resultCounter !== undefined && { resultCounter }),
    ...(decomposition && { decomposition }),
    ...(fields && { fields }),
    ...(boundaryConditions && { boundaryConditions }),
  };
};

const readDomain: Read<Domain> = (value, where) => {
  const object = readObject(value, where);
  return {
    globalDimensions: member(object, "global_dimensions", tripleOf(readInteger), where),
    physicalOrigin: member(object, "physical_origin", tripleOf(readFloat), where),
    gridSpacing: member(object, "grid_spacing", tripleOf(readFloat), where),
    periodic: member(object, "periodic", tripleOf(readBoolean), where),
  };
};

const readDecomposition: Read<Decomposition> = (value, where) => {
  const object = readObject(value, where);
  return {
    mpiSize: member(object, "mpi_size", readInteger, where),
    localSize: member(object, "local_size", tripleOf(readInteger), where),
    localOffset: member(object, "local_offset", tripleOf(readInteger), where),
  };
};

const readCondition: Read<BoundaryCondition> = (value, where) => {
  const object = readObject(value, where);
  return {
    config: member(object, "config", readJsonText, where),
    state: member(object, "state", readJsonText, where),
  };
};

/** The protocol's META, answered. */
export function metadataAnswer(metadata: Metadata): Answer {
  const { domain, decomposition, fields, boundaryConditions } = metadata;
  return {
    format_version: metadata.formatVersion,
    accepted_time: binary64Text(metadata.acceptedTime),
    accepted_increment: metadata.acceptedIncrement,
    result_counter: metadata.resultCounter,
    domain: {
      global_dimensions: domain.globalDimensions,
      physical_origin: domain.physicalOrigin.map(binary64Text),
      grid_spacing: domain.gridSpacing.map(binary64Text),
      periodic: domain.periodic,
    },
    method_identity: metadata.methodIdentity,
    ...(decomposition && {
      decomposition: {
        mpi_size: decomposition.mpiSize,
        local_size: decomposition.localSize,
        local_offset: decomposition.localOffset,
      },
    }),
    ...(fields && { fields }),
    ...(boundaryConditions && {
      boundary_conditions: boundaryConditions.map(({ config, state }) => ({
        config: pfcLineText(config),
        state: pfcLineText(state),
      })),
    }),
  };
}
