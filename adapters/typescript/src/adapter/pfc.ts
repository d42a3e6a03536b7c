import type { Operation } from "./answer.js";

export const PFC_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>();
