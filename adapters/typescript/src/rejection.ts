/** The strict-JSON faults, in the order they are tried. Each format puts its own prefix before them. */
export const JSON_FAULTS = ["not-utf8", "not-json", "too-deep", "duplicate-key", "number-not-finite"] as const;

/** What each format calls its JSON: `metadata` in `pfc`, `manifest` in `flysess1`. */
export const JSON_PREFIXES = ["metadata", "manifest"] as const;

/** Reasons of `lmdl`, in the order of the rules. */
export const LMDL_REASONS = [
  "coordinate-size",
  "field-out-of-range",
  "slot-size",
  "slot-magic",
  "slot-version",
  "slot-crc",
  "meta-size",
  "meta-version",
  "meta-no-valid-slot",
  "dedup-short",
  "epoch-exhausted",
  "dedup-count-overflow",
  "commit-would-overwrite-active",
  "commit-io",
] as const;

/** Reasons of `pfc`, in the order of the rules. */
export const PFC_REASONS = [
  "metadata-not-utf8",
  "metadata-not-json",
  "metadata-too-deep",
  "metadata-duplicate-key",
  "metadata-number-not-finite",
  "metadata-not-object",
  "version-unsupported",
  "version-1-periodic",
  "member-missing",
  "member-type",
  "member-range",
  "bundle-is-staging",
  "bundle-missing",
  "bundle-not-directory",
  "metadata-missing",
  "metadata-unreadable",
  "field-missing",
  "field-not-regular",
  "field-size",
  "part-outside",
  "part-size",
  "parts-overlap",
  "parts-gap",
  "restore-grid",
  "restore-periodicity",
  "restore-method",
  "restore-fields",
  "restore-boundary",
  "restore-boundary-state",
  "publish-name",
  "publish-exists",
  "publish-field",
  "publish-failed",
] as const;

/** Reasons of `flysess1`, in the order of the rules. */
export const FLYSESS1_REASONS = [
  "too-short",
  "bad-magic",
  "unsupported-version",
  "bad-header-bytes",
  "reserved-not-zero",
  "too-many-payloads",
  "bad-footer-magic",
  "file-bytes-mismatch",
  "prefix-digest-mismatch",
  "manifest-outside",
  "manifest-not-utf8",
  "manifest-not-json",
  "manifest-too-deep",
  "manifest-duplicate-key",
  "manifest-number-not-finite",
  "manifest-number-range",
  "manifest-not-canonical",
  "table-misplaced",
  "table-outside",
  "name-after-terminator",
  "name-not-id",
  "name-duplicate",
  "payload-misplaced",
  "payload-outside",
  "payload-digest-mismatch",
  "trailing-gap",
  "padding-not-zero",
  "manifest-not-object",
  "manifest-field-missing",
  "manifest-version",
  "manifest-payloads",
  "payload-unknown",
  "commit-name",
  "commit-exists",
  "commit-io",
] as const;

/** The steps of opening and committing on disk that `commit-io` of `lmdl` is told at. Rule LMDL-DISK. */
export const LMDL_STEPS = [
  "read-meta",
  "read-log",
  "cut-log",
  "append-log",
  "sync-log",
  "write-slot",
  "sync-meta",
  "write-meta",
  "rename-meta",
  "sync-directory",
] as const;

/** The steps of a durable commit that `commit-io` of `flysess1` is told at, in order. Rule FLY-COMMIT. */
export const FLYSESS1_STEPS = [
  "write-generation",
  "sync-generation",
  "rename-generation",
  "sync-directory-1",
  "write-manifest",
  "sync-manifest",
  "rename-manifest",
  "sync-directory-2",
] as const;

export type JsonFault = (typeof JSON_FAULTS)[number];
export type JsonPrefix = (typeof JSON_PREFIXES)[number];
export type LmdlReason = (typeof LMDL_REASONS)[number];
export type PfcReason = (typeof PFC_REASONS)[number];
export type Flysess1Reason = (typeof FLYSESS1_REASONS)[number];
export type LmdlStep = (typeof LMDL_STEPS)[number];
export type Flysess1Step = (typeof FLYSESS1_STEPS)[number];

/** Every reason a reader or writer of the three formats can refuse with. The ids never change. */
export type Reason = LmdlReason | PfcReason | Flysess1Reason;

export interface RejectionDetails {
  /** Where: a JSON pointer (`/domain/periodic`) inside JSON, elsewhere a path without a leading slash (`slot/A`). */
  readonly at?: string | undefined;
  /** Free text for people: what was found and what was expected. Never compare it. */
  readonly detail?: string | undefined;
}

/**
 * The one refusal of an input: the first check that fails, in the order the rules are written.
 *
 * Anything else that is thrown by this package (a `TypeError`, a system error) is a fault of the caller or of the
 * machine and says nothing about the input.
 */
export class Rejection extends Error {
  readonly reason: Reason;
  readonly at: string | undefined;
  readonly detail: string | undefined;

  constructor(reason: Reason, { at, detail }: RejectionDetails = {}) {
    super(`${reason}${at === undefined ? "" : ` at ${at}`}${detail === undefined ? "" : `: ${detail}`}`);
    this.name = "Rejection";
    this.reason = reason;
    this.at = at;
    this.detail = detail;
  }
}
